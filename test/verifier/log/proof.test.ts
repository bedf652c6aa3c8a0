import { expect } from 'chai'
import { MAX_EXTRA_BYTES, readLogProof, writeLogProof } from '#verifier/log/proof.js'
import { refusal } from '../../support/xml/refusal.js'

const hashes = [1, 2, 3].map((octet) => Buffer.alloc(32, octet))
const checkpoint = 'log.example/one\n9\nAAAA\n\n\u2014 log.example/one AAAA\n'
const text = writeLogProof({ extra: Buffer.from('salt and text'), index: 5, hashes, checkpoint })
const hash = hashes[0]?.toString('base64') ?? ''

describe('proofs in text (C2SP tlog-proof)', () => {
  it('have lines for what they are, extra data, index and hashes, and the checkpoint verbatim', () => {
    const [first, second, third, fourth, , , empty, ...rest] = text.split('\n')
    expect([first, second, third]).to.deep.equal(['c2sp.org/tlog-proof@v1', 'extra c2FsdCBhbmQgdGV4dA==', 'index 5'])
    expect([fourth, empty]).to.deep.equal([hash, ''])
    expect(rest.join('\n')).to.equal(checkpoint)
  })

  it('are read as they were written', () => {
    for (const proof of [
      { extra: Buffer.from('x'), index: 0, hashes, checkpoint },
      { index: Number.MAX_SAFE_INTEGER, hashes: [], checkpoint },
      {
        extra: Buffer.alloc(MAX_EXTRA_BYTES, 7),
        index: 9,
        hashes: Array<Buffer>(63).fill(Buffer.alloc(32)),
        checkpoint: '',
      },
    ])
      expect(readLogProof(writeLogProof(proof))).to.deep.equal(proof)
  })

  for (const [what, changed] of [
    ['nothing', ''],
    ['another first line', text.replace('@v1', '@v2')],
    ['no empty line', text.replace('\n\n', '\n').replace('\n\n', '\n')],
    ['no checkpoint', 'c2sp.org/tlog-proof@v1\nindex 5\n'],
    ['no index', text.replace('index 5\n', '')],
    ['an index with a leading zero', text.replace('index 5', 'index 05')],
    ['an index that JavaScript cannot count', text.replace('index 5', 'index 9007199254740992')],
    ['an index in other digits', text.replace('index 5', 'index \u0665')],
    ['two spaces', text.replace('index 5', 'index  5')],
    ['extra data behind the index', text.replace(/(extra .*)\n(index 5)/, '$2\n$1')],
    ['extra data twice', text.replace(/(extra .*\n)/, '$1$1')],
    ['extra data without any', text.replace(/extra .*/, 'extra ')],
    ['extra data that is not strict base64', text.replace('==\n', '=\n')],
    ['too much extra data', text.replace(/extra .*/, `extra ${Buffer.alloc(MAX_EXTRA_BYTES + 1).toString('base64')}`)],
    ['a hash of another length', text.replace(hash, 'AAAA')],
    ['a hash that is not strict base64', text.replace(hash, hash.replace('AQE=', 'AQF='))],
    ['64 hashes', text.replace(hash, Array(62).fill(hash).join('\n'))],
    ['carriage returns', text.replaceAll('\n', '\r\n')],
    ['more than two million characters', text + 'x'.repeat(2 * 1024 * 1024)],
  ])
    it(`are not read with ${what}`, () => {
      expect(refusal(() => readLogProof(changed ?? ''))).to.equal('logNotRead proof')
    })

  it('are not written with what could not be read again', () => {
    const proof = { index: 0, hashes, checkpoint }
    for (const wrong of [
      { ...proof, index: -1 },
      { ...proof, index: 2 ** 53 },
      { ...proof, hashes: [Buffer.alloc(31)] },
      { ...proof, hashes: Array<Buffer>(64).fill(Buffer.alloc(32)) },
      { ...proof, extra: Buffer.alloc(0) },
      { ...proof, extra: Buffer.alloc(MAX_EXTRA_BYTES + 1) },
    ])
      expect(() => writeLogProof(wrong)).to.throw(RangeError)
  })
})
