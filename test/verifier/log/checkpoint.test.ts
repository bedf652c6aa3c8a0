import { expect } from 'chai'
import fc from 'fast-check'
import { checkpointText, openCheckpoint, readCheckpoint } from '#verifier/log/checkpoint.js'
import { signNote } from '#verifier/notes/signed-note.js'
import { logKeyOf, privateKeyOf, witnessOf } from '../../support/log/note-keys.js'
import { refusal } from '../../support/xml/refusal.js'

// The example of the specification.
const TEXT = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`
const HASH = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I='
const root = Buffer.from(HASH, 'base64')
const origin = 'example.com/behind-the-sofa'

describe('checkpoints (C2SP tlog-checkpoint)', () => {
  it('are read as in the example of the specification, and written so', () => {
    expect(readCheckpoint(TEXT)).to.deep.equal({ origin, size: 20_852_163, root })
    expect(checkpointText({ origin, size: 20_852_163, root })).to.equal(TEXT)
    expect(checkpointText({ origin, size: 0, root })).to.include('\n0\n')
  })

  it('are read as they were written', () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((one) => /^[^\p{Cc}\p{Cs}]+$/u.test(one))
    fc.assert(
      fc.property(name, fc.maxSafeNat(), hash, (origin, size, root) => {
        const read = readCheckpoint(checkpointText({ origin, size, root }))
        expect(read).to.deep.equal({ origin, size, root: Buffer.from(root) })
      }),
    )
  })

  it('may have extension lines, which are not read', () => {
    expect(readCheckpoint(`${TEXT}one\ntwo\n`)).to.deep.equal(readCheckpoint(TEXT))
  })

  for (const [what, text] of [
    ['nothing', ''],
    ['two lines', TEXT.replace(`${HASH}\n`, '')],
    ['no end of the last line', TEXT.trimEnd()],
    ['an empty origin', TEXT.replace(origin, '')],
    ['an empty line behind', `${TEXT}\n`],
    ['an empty line between', TEXT.replace('\n', '\n\n')],
    ['an empty extension line', `${TEXT}one\n\ntwo\n`],
    ['a leading zero', TEXT.replace('20852163', '020852163')],
    ['a negative size', TEXT.replace('20852163', '-1')],
    ['a size with a sign', TEXT.replace('20852163', '+1')],
    ['a size in other digits', TEXT.replace('20852163', '\u0661')],
    ['a size in hexadecimal', TEXT.replace('20852163', '0x10')],
    ['a size with a fraction', TEXT.replace('20852163', '1.0')],
    ['a size with a space', TEXT.replace('20852163', '1 ')],
    ['a size that JavaScript cannot count', TEXT.replace('20852163', '9007199254740992')],
    ['a size of many digits', TEXT.replace('20852163', '9'.repeat(400))],
    ['a hash of 31 octets', TEXT.replace(HASH, Buffer.alloc(31).toString('base64'))],
    ['a hash without padding', TEXT.replace('=', '')],
    ['a hash whose last bits are not zero', TEXT.replace('q2I=', 'q2J=')],
    ['a hash in base64url', TEXT.replace('m/X', 'm_X')],
    ['a hash with a space', TEXT.replace('m/X', 'm /X')],
  ])
    it(`are not read with ${what}`, () => {
      expect(refusal(() => readCheckpoint(text ?? ''))).to.equal('noteNotVerified otherText')
    })

  it('are not written with what could not be read again', () => {
    const good = { origin, size: 1, root }
    for (const size of [-1, 0.5, Number.NaN, 2 ** 53])
      expect(() => checkpointText({ ...good, size })).to.throw(RangeError)
    for (const octets of [0, 31, 33])
      expect(() => checkpointText({ ...good, root: Buffer.alloc(octets) })).to.throw(RangeError)
    for (const wrong of ['', 'a\nb', 'a\n', 'a\tb', '\ud800'])
      expect(() => checkpointText({ ...good, origin: wrong }), JSON.stringify(wrong)).to.throw(TypeError)
  })

  describe('that are signed', () => {
    const log = 'log.example/one'
    const text = checkpointText({ origin: log, size: 5, root })
    const note = signNote(text, log, privateKeyOf(1))

    it('are opened by the key of their log, whoever cosigned them', () => {
      const cosigned = note + witnessOf(2).line(note)
      expect(openCheckpoint(cosigned, logKeyOf(log, 1))).to.deep.equal({ origin: log, size: 5, root, note: cosigned })
    })

    it('are not opened by another key, the key of another log, or that of a witness', () => {
      const opened = (key: string, from = note) => refusal(() => openCheckpoint(from, key))
      expect(opened(logKeyOf(log, 2))).to.equal('noteNotVerified signatureMissing')
      expect(opened(logKeyOf('log.example/two', 1))).to.equal('noteNotVerified signatureMissing')
      expect(opened(witnessOf(1).key)).to.equal('noteNotVerified keyMalformed')
      const other = signNote(text, 'log.example/two', privateKeyOf(1))
      expect(opened(logKeyOf('log.example/two', 1), other)).to.equal('noteNotVerified otherOrigin')
      expect(opened(logKeyOf(log, 1), note.replace('\n5\n', '\n6\n'))).to.equal('noteNotVerified signature')
      const any = signNote('any text\n', log, privateKeyOf(1))
      expect(opened(logKeyOf(log, 1), any)).to.equal('noteNotVerified otherText')
    })
  })
})
