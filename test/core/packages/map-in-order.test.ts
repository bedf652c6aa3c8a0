import { expect } from 'chai'
import { mapInOrder } from '#core/packages/map-in-order.js'

describe('work on each of several signatures', () => {
  it('runs a bounded number at a time, and gives results in order', async () => {
    let running = 0
    let most = 0
    const results = await mapInOrder([5, 1, 4, 2, 3], 2, async (turns, index) => {
      running += 1
      most = Math.max(most, running)
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      running -= 1
      return index
    })
    expect(results).to.deep.equal([0, 1, 2, 3, 4])
    expect(most).to.equal(2)
  })

  it('throws the failure of the first element, not the first in time, and starts no more work', async () => {
    const begun: number[] = []
    const outcome = await mapInOrder([9, 1, 1, 1, 1], 2, async (turns, index) => {
      begun.push(index)
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      throw new Error(`at ${index}`)
    }).catch((error: Error) => error.message)
    expect(outcome).to.equal('at 0')
    expect(begun).to.deep.equal([0, 1])
  })
})
