import { createPublicKey, sign, verify } from 'node:crypto'
import { expect } from 'chai'
import { checkpointText } from '#verifier/log/checkpoint.js'
import { cosign, cosignatureLines, verifyCosignature } from '#verifier/log/cosignature.js'
import { leafHash } from '#verifier/log/merkle.js'
import { readNote, signatureLine, signNote } from '#verifier/notes/signed-note.js'
import { readVerifierKey } from '#verifier/notes/verifier-key.js'
import { logKeyOf, privateKeyOf, witnessOf } from '../../support/log/note-keys.js'
import { refusal } from '../../support/xml/refusal.js'

const origin = 'log.example/one'
const text = checkpointText({ origin, size: 5, root: leafHash(Buffer.from('root')) })
const note = signNote(text, origin, privateKeyOf(1))
const witness = witnessOf(2)
const line = witness.line(note, 1_700_000_000)

describe('cosignatures (C2SP tlog-cosignature)', () => {
  it('are Ed25519 over two lines and the text of the checkpoint, behind the time in eight octets', () => {
    const [one] = readNote(`${text}\n${line}`).signatures
    expect(one?.value.length).to.equal(72)
    expect(one?.value.readBigUInt64BE()).to.equal(1_700_000_000n)
    const signed = Buffer.from(`cosignature/v1\ntime 1700000000\n${text}`)
    expect(verify(null, signed, createPublicKey(privateKeyOf(2)), one?.value.subarray(8) ?? Buffer.alloc(0))).to.equal(
      true,
    )
  })

  it('tell when the witness saw the checkpoint, also beside those of others', () => {
    const other = witnessOf(3).line(note)
    const unknown = `\u2014 ${witness.name} ${Buffer.alloc(4 + 8 + 2420).toString('base64')}\n`
    expect(verifyCosignature(`${note}${unknown}${other}${line}`, witness.key)).to.deep.equal({ time: 1_700_000_000 })
    const later = witness.line(note, 1_700_000_009)
    expect(verifyCosignature(`${note}${later}${line}`, witness.key)).to.deep.equal({ time: 1_700_000_009 })
  })

  it('are absent where the witness did not cosign', () => {
    expect(verifyCosignature(note, witness.key)).to.equal(undefined)
    expect(verifyCosignature(`${note}${witnessOf(3).line(note)}`, witness.key)).to.equal(undefined)
  })

  it('cover extension lines', () => {
    const extended = signNote(`${text}more\n`, origin, privateKeyOf(1))
    expect(verifyCosignature(`${extended}${witness.line(extended)}`, witness.key)).to.not.equal(undefined)
    expect(refusal(() => verifyCosignature(`${extended}${line}`, witness.key))).to.equal('noteNotVerified signature')
  })

  for (const [what, changed] of [
    ['the time', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(11) ^ 1, 11)],
    ['the signature', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40)],
    ['a time that JavaScript cannot count', (bytes: Buffer) => bytes.fill(0xff, 4, 12)],
    ['no time', (bytes: Buffer) => bytes.fill(0, 4, 12)],
  ] as const)
    it(`are wrong with another value for ${what}`, () => {
      const [, , base64 = ''] = line.trim().split(' ')
      const bytes = Buffer.from(base64, 'base64')
      changed(bytes)
      const wrong = `\u2014 ${witness.name} ${bytes.toString('base64')}\n`
      expect(refusal(() => verifyCosignature(`${note}${wrong}`, witness.key))).to.equal('noteNotVerified signature')
    })

  it('are wrong without a time, though rightly signed', () => {
    const { id } = readVerifierKey(witness.key, 'cosignature')
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime 0\n${text}`), privateKeyOf(2))
    const zero = `${note}${signatureLine({ name: witness.name, id }, Buffer.concat([Buffer.alloc(8), signature]))}`
    expect(refusal(() => verifyCosignature(zero, witness.key))).to.equal('noteNotVerified signature')
  })

  it('count for nothing at a time that is no date, and take nothing away', () => {
    const far = (time: bigint) => {
      const { id } = readVerifierKey(witness.key, 'cosignature')
      const octets = Buffer.alloc(8)
      octets.writeBigUInt64BE(time)
      const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), privateKeyOf(2))
      return signatureLine({ name: witness.name, id }, Buffer.concat([octets, signature]))
    }
    const last = 8_640_000_000_000n
    expect(verifyCosignature(`${note}${far(last)}`, witness.key)).to.deep.equal({ time: Number(last) })
    for (const time of [last + 1n, 2n ** 53n, 2n ** 63n - 1n]) {
      expect(verifyCosignature(`${note}${far(time)}`, witness.key)).to.equal(undefined)
      expect(verifyCosignature(`${note}${far(time)}${line}`, witness.key)).to.deep.equal({ time: 1_700_000_000 })
    }
  })

  it('are wrong where they are shorter or longer', () => {
    const [, , base64 = ''] = line.trim().split(' ')
    const bytes = Buffer.from(base64, 'base64')
    for (const other of [bytes.subarray(0, -1), bytes.subarray(0, 8), Buffer.concat([bytes, Buffer.alloc(1)])]) {
      const wrong = `${note}\u2014 ${witness.name} ${other.toString('base64')}\n`
      expect(refusal(() => verifyCosignature(wrong, witness.key))).to.equal('noteNotVerified signature')
    }
  })

  it('are by keys of their own type', () => {
    expect(refusal(() => verifyCosignature(note, logKeyOf(witness.name, 2)))).to.equal('noteNotVerified keyMalformed')
  })

  it('are only of checkpoints', () => {
    const other = { name: witness.name, key: privateKeyOf(2), time: 1 }
    expect(refusal(() => cosign('any text\n', other))).to.equal('noteNotVerified otherText')
    const noCheckpoint = signNote('any text\n', origin, privateKeyOf(1))
    expect(refusal(() => verifyCosignature(noCheckpoint, witness.key))).to.equal('noteNotVerified otherText')
  })

  it('have a time', () => {
    for (const time of [0, -1, 1.5, Number.NaN, 2 ** 53])
      expect(() => cosign(text, { name: witness.name, key: privateKeyOf(2), time }), `${time}`).to.throw(RangeError)
  })

  it('are taken out of the answer of a witness, and nothing else', () => {
    const other = witnessOf(3)
    expect(cosignatureLines(note, `${other.line(note)}${line}`, witness.key)).to.equal(line)
    expect(cosignatureLines(note, other.line(note), witness.key)).to.equal('')
    const wrong = witness.line(signNote(text.replace('5', '6'), origin, privateKeyOf(1)))
    expect(refusal(() => cosignatureLines(note, wrong, witness.key))).to.equal('noteNotVerified signature')
    expect(cosignatureLines(note, '', witness.key)).to.equal('')
  })

  for (const [what, answer] of [
    ['text', 'x\n'],
    ['an empty line', `\n${line}`],
    ['a text of its own', `more\n\n${line}`],
    ['no newline', line.trim()],
    ['65 lines', line.repeat(65)],
  ])
    it(`are not taken out of an answer with ${what}`, () => {
      expect(refusal(() => cosignatureLines(note, answer ?? '', witness.key))).to.equal('noteNotVerified malformed')
    })
})
