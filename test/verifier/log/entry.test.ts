import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { isSalted, saltedEntry } from '#verifier/log/entry.js'

describe('salted entries', () => {
  const salt = Buffer.alloc(32, 7)

  it('are SHA-256 of the salt, a line and the text', () => {
    const octets = Buffer.concat([salt, Buffer.from('signed-registry/leaf/v1\nsignature\nsignId 5\nname Ә\n')])
    const expected = createHash('sha256').update(octets).digest()
    expect(saltedEntry(salt, 'signature\nsignId 5\nname Ә\n')).to.deep.equal(expected)
    expect(isSalted(expected)).to.equal(true)
  })

  it('have a salt of 32 octets, so that no part of the text can be taken for it', () => {
    for (const length of [0, 31, 33]) expect(() => saltedEntry(Buffer.alloc(length), 'seal\n')).to.throw(RangeError)
  })
})
