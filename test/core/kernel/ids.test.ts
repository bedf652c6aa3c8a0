import { expect } from 'chai'
import { ID_PATTERN, newId } from '#core/kernel/ids.js'

describe('identifiers', () => {
  it('are 16 characters of [A-Za-z0-9], each a new one', () => {
    const ids = new Set(Array.from({ length: 1000 }, newId))
    expect(ids.size).to.equal(1000)
    for (const id of ids) expect(id).to.match(ID_PATTERN)
  })
})
