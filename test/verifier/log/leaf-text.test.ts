import { expect } from 'chai'
import fc from 'fast-check'
import { readLeafText, writeLeafText } from '#verifier/log/leaf-text.js'
import { refusal } from '../../support/xml/refusal.js'

describe('texts of entries', () => {
  it('have a line for the kind and one for each field', () => {
    const fields = [
      ['documentId', 'a-b'],
      ['storedAt', '2026-11-22T21:48:05.123Z'],
      ['2.16.840.1.101.3.4.2.1', 'ab12'],
      ['ocsp', 'none'],
      ['reason', 'two words: решение суда'],
    ] as const
    const text = writeLeafText('signature', fields)
    expect(text).to.equal(
      'signature\ndocumentId a-b\nstoredAt 2026-11-22T21:48:05.123Z\n2.16.840.1.101.3.4.2.1 ab12\nocsp none\nreason two words: решение суда\n',
    )
    expect(readLeafText(text)).to.deep.equal({ kind: 'signature', fields: new Map(fields) })
    const longest = writeLeafText('seal', [['a', 'x'.repeat(65_535 - 'seal\na \n'.length)]])
    expect(readLeafText(longest).fields.get('a')).to.have.length(65_527)
    expect(readLeafText(writeLeafText('seal', []))).to.deep.equal({ kind: 'seal', fields: new Map() })
  })

  it('are read as they were written, in one way', () => {
    const any = fc.array(fc.tuple(fc.string(), fc.string({ unit: 'binary' })), { maxLength: 4 })
    fc.assert(
      fc.property(fc.string(), any, (kind, fields) => {
        let text: string
        try {
          text = writeLeafText(kind, fields)
        } catch (error) {
          expect(error).to.be.instanceOf(RangeError)
          return
        }
        const read = readLeafText(text)
        expect([read.kind, [...read.fields]]).to.deep.equal([kind, fields])
      }),
      { numRuns: 1_000 },
    )
  })

  for (const [what, kind, fields] of [
    ['no kind', '', []],
    ['a kind of two words', 'a b', []],
    ['a kind of two lines', 'a\nb c', []],
    ['a kind that begins with a capital', 'Seal', []],
    ['a field without a name', 'seal', [['', 'x']]],
    ['a name with a space', 'seal', [['a b', 'x']]],
    ['an empty value', 'seal', [['a', '']]],
    ['a value that begins with a space', 'seal', [['a', ' x']]],
    ['a value that ends with a space', 'seal', [['a', 'x ']]],
    ['a value of two lines', 'seal', [['a', 'x\nb y']]],
    ['a value with a tab', 'seal', [['a', 'x\ty']]],
    ['half a character', 'seal', [['a', '\ud800']]],
    [
      'a name twice',
      'seal',
      [
        ['a', 'x'],
        ['a', 'x'],
      ],
    ],
    ['a value that is too long', 'seal', [['a', 'x'.repeat(65_536 - 'seal\na \n'.length)]]],
  ] as const)
    it(`are not written with ${what}`, () => {
      expect(() => writeLeafText(kind, fields)).to.throw(RangeError)
    })

  for (const text of [
    '',
    '\n',
    'seal',
    'seal\n\n',
    'seal\na\n',
    'seal\na \n',
    'seal\na  x\n',
    'seal\na x\na y\n',
    'seal\r\na x\r\n',
    ' seal\n',
    'a b\n',
  ])
    it(`are not read from ${JSON.stringify(text)}`, () => {
      expect(refusal(() => readLeafText(text))).to.equal('logNotRead leaf')
    })
})
