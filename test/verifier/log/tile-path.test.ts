import { expect } from 'chai'
import fc from 'fast-check'
import { entriesPath, readTilePath, tilePath } from '#verifier/log/tile-path.js'

describe('paths of tiles (C2SP tlog-tiles)', () => {
  it('are those of the specification', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).to.equal('0/x001/x234/067')
    expect(tilePath({ level: 63, index: 0, width: 1 })).to.equal('63/000.p/1')
    expect(tilePath({ level: 1, index: 999, width: 255 })).to.equal('1/999.p/255')
    expect(entriesPath(1_234, 17)).to.equal('entries/x001/234.p/17')
    expect(entriesPath(1_000, 256)).to.equal('entries/x001/000')
  })

  it('are read as they were written', () => {
    const width = fc.integer({ min: 1, max: 256 })
    fc.assert(
      fc.property(fc.nat(63), fc.maxSafeNat(), width, (level, index, width) => {
        expect(readTilePath(tilePath({ level, index, width }))).to.deep.equal({ kind: 'hashes', level, index, width })
        expect(readTilePath(entriesPath(index, width))).to.deep.equal({ kind: 'entries', index, width })
      }),
    )
  })

  for (const path of [
    '',
    '0',
    '0/',
    '0/0',
    '0/00',
    '0/0000',
    '0/x000/001',
    '0/x001',
    '0/001/002',
    '0/x001/x002',
    '0/x01/002',
    '0/X001/002',
    '/0/001',
    '0/001/',
    '0//001',
    '00/001',
    '64/001',
    '+1/001',
    '-1/001',
    '1e1/001',
    '0/001.p/0',
    '0/001.p/01',
    '0/001.p/256',
    '0/001.p/1000',
    '0/001.p/',
    '0/001.p',
    '0/001.P/1',
    '0/001.p/1/',
    '0/001.p/-1',
    '0/\u0661\u0661\u0661',
    '0/001\n',
    '\n0/001',
    'entries',
    'entries/1',
    'Entries/001',
    'entries/0/001',
    'data/001',
    '0/x009/x007/x199/x254/x740/992',
    `0/${'x001/'.repeat(6)}001`,
    `0/${'x001/'.repeat(100_000)}001`,
    '0/../001',
    '0/%30%30%31',
  ])
    it(`are not ${JSON.stringify(path.slice(0, 40))}`, () => {
      expect(readTilePath(path)).to.equal(undefined)
    })

  it('are never anything else', () => {
    const piece = fc.constantFrom('0', '1', '63', '/', 'x', '001', '000', '.p/', '.p', 'entries', '256', '255', '\n')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const path = pieces.join('')
        const read = readTilePath(path)
        if (read === undefined) return
        expect(read.kind === 'hashes' ? tilePath(read) : entriesPath(read.index, read.width)).to.equal(path)
      }),
      { numRuns: 2_000 },
    )
  })
})
