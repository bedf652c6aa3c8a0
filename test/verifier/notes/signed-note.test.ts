import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { REPORT_NOTE, reportNoteText, verifyReport } from '#verifier/notes/report-note.js'
import { readNote, signNote, verifySignedNote } from '#verifier/notes/signed-note.js'
import { readVerifierKey, verifierKey } from '#verifier/notes/verifier-key.js'
import { refusal } from '../../support/xml/refusal.js'

// The example of the specification.
const VKEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const NOTE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`

const newKey = () => {
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const key = createPrivateKey(privateKey)
  return { key, vkey: (name: string) => verifierKey(name, createPublicKey(key)) }
}

describe('signed notes (C2SP)', () => {
  const { key, vkey } = newKey()
  const name = 'registry.example'
  const note = signNote('one\n\ntwo\n', name, key)

  it('reads the example of the specification', () => {
    expect(verifySignedNote(NOTE, VKEY)).to.equal('This is an example message.\n')
    expect(verifierKey('example.com/foo', readVerifierKey(VKEY).publicKey)).to.equal(VKEY)
  })

  it('refuses a note without signature lines', () => {
    for (const text of ['one\n\n', 'one\n\ntwo\n\n'])
      expect(refusal(() => readNote(text))).to.equal('noteNotVerified malformed')
  })

  it('reads what it writes, with empty lines in the text and signatures by other keys', () => {
    expect(verifySignedNote(note, vkey(name))).to.equal('one\n\ntwo\n')
    const other = signNote('one\n\ntwo\n', 'witness.example', newKey().key)
    const line = other.split('\n').at(-2)
    expect(verifySignedNote(`${note}${line}\n`, vkey(name))).to.equal('one\n\ntwo\n')
  })

  it('verifies each note by each key, also after one was right', () => {
    const [own, other] = [vkey(name), newKey().vkey(name)]
    for (let time = 0; time < 2; time += 1) {
      expect(verifySignedNote(note, own)).to.equal('one\n\ntwo\n')
      expect(refusal(() => verifySignedNote(note, other))).to.equal('noteNotVerified signatureMissing')
      expect(refusal(() => verifySignedNote(note.replace('one', 'two'), own))).to.equal('noteNotVerified signature')
    }
  })

  for (const [what, changed, reason] of [
    ['another text', note.replace('two', 'too'), 'signature'],
    ['no signature by the key', note.replace(name, 'other.example'), 'signatureMissing'],
    ['no signature', 'one\n\n', 'malformed'],
    ['no end of the last line', note.slice(0, -1), 'malformed'],
    ['no empty line', note.replaceAll('\n\n', '\n'), 'malformed'],
    ['control characters', note.replace('one', 'o\tne'), 'malformed'],
    ['carriage returns', note.replaceAll('\n', '\r\n'), 'malformed'],
    ['a line that is no signature', `${note}— ${name}\n`, 'malformed'],
    ['base64 that is not strict', note.replace(/(.)\n$/, '\n$1\n'), 'malformed'],
    ['nothing', '', 'malformed'],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(refusal(() => verifySignedNote(changed, vkey(name)))).to.equal(`noteNotVerified ${reason}`)
    })
  }

  it('refuses an invalid signature of the key even with a valid one', () => {
    const wrong = signNote('else\n', name, key).split('\n').at(-2)
    expect(refusal(() => verifySignedNote(`${note}${wrong}\n`, vkey(name)))).to.equal('noteNotVerified signature')
  })

  it('refuses malformed keys and keys with another ID', () => {
    for (const bad of ['', 'a+b', VKEY.replace('530d903a', '530d903b'), VKEY.replace('+Aek', '+Bek'), `a b${VKEY}`])
      expect(
        refusal(() => verifySignedNote(NOTE, bad)),
        bad,
      ).to.equal('noteNotVerified keyMalformed')
  })

  it('writes no text that a note cannot hold', () => {
    for (const text of ['no end', 'a\tb\n', '\ud800\n']) expect(() => signNote(text, name, key)).to.throw(TypeError)
    expect(() => signNote('a\n', 'a name', key)).to.throw()
  })

  describe('about a report', () => {
    const forms = { json: '{}\n', html: '<p>', xml: '<r></r>' }
    const origin = 'https://registry.example'
    const time = '2026-11-22T21:48:05+00:00'
    const made = signNote(reportNoteText({ origin, time }, forms), name, key)

    it('tells each form of it, by whom and when', () => {
      expect(made).to.match(/^signed-registry\/report\/v1\norigin https:\/\/registry\.example\ntime /)
      for (const form of ['json', 'html', 'xml'] as const)
        expect(verifyReport(Buffer.from(forms[form]), made, vkey(name))).to.include({ form, origin, time })
    })

    it('is not about another report, another text, or by another key', () => {
      const judged = (bytes: string, text = made, by = vkey(name)) =>
        refusal(() => verifyReport(Buffer.from(bytes), text, by))
      expect(judged('{ }\n')).to.equal('noteNotVerified otherReport')
      const checkpoint = signNote(`${REPORT_NOTE}\n1\n`, name, key)
      expect(judged('{}\n', checkpoint)).to.equal('noteNotVerified otherText')
      expect(judged('{}\n', made, newKey().vkey(name))).to.equal('noteNotVerified signatureMissing')
    })
  })
})
