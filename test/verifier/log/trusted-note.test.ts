import { expect } from 'chai'
import { checkpointText } from '#verifier/log/checkpoint.js'
import { trustedNote } from '#verifier/log/trusted-note.js'
import { signNote } from '#verifier/notes/signed-note.js'
import { logKeyOf, privateKeyOf, witnessOf } from '../../support/log/note-keys.js'
import { refusal } from '../../support/xml/refusal.js'

const origin = 'log.example/one'
const text = checkpointText({ origin, size: 1, root: Buffer.alloc(32) })
const line = (name: string, key: number) => signNote(text, name, privateKeyOf(key)).slice(text.length + 1)
const keys = [logKeyOf(origin, 1), logKeyOf(origin, 2)]

describe('the part of a note that a witness keeps', () => {
  it('is the text with one signature by each key of the log', () => {
    const [first, second] = [line(origin, 1), line(origin, 2)]
    const others = `${line('foreign', 1)}${line(origin, 3)}${witnessOf(9).line(`${text}\n${first}`)}`
    const note = `${text}\n${others}${second}${first}${first}`
    expect(trustedNote(note, keys)).to.deep.equal({ text, note: `${text}\n${first}${second}` })
    expect(trustedNote(`${text}\n${second}`, keys).note).to.equal(`${text}\n${second}`)
  })

  it('is of a note that can be read', () => {
    expect(refusal(() => trustedNote(text, keys))).to.equal('noteNotVerified malformed')
  })
})
