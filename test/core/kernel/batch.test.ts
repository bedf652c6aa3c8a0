import { mock } from 'node:test'
import { expect } from 'chai'
import { Batch, type BatchLimits } from '#core/kernel/batch.js'

/** A batch whose work ends on demand. */
function recorded(limits: Partial<BatchLimits> = {}) {
  const begun: number[][] = []
  const ends: (() => void)[] = []
  const work = async (items: readonly number[]) => {
    begun.push([...items])
    await new Promise<void>((resolve) => ends.push(resolve))
    return items.map((item) => (item < 0 ? Promise.reject(new Error(`${item}`)) : item * 10))
  }
  const untilBegun = async (count: number) => {
    while (begun.length < count) await new Promise(setImmediate)
  }
  return { begun, ends, untilBegun, batch: new Batch(work, { items: 3, atOnce: 1, ...limits }) }
}
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
}

describe('a batch', () => {
  it('takes what arrives in one turn of the event loop, and answers each item', async () => {
    const { begun, ends, untilBegun, batch } = recorded()
    const results = Promise.all([1, 2, 3].map((item) => batch.run(item)))
    await untilBegun(1)
    ends[0]?.()
    expect(await results).to.deep.equal([10, 20, 30])
    expect(begun).to.deep.equal([[1, 2, 3]])
  })

  it('takes what arrives while others are under way', async () => {
    const { begun, ends, untilBegun, batch } = recorded()
    const first = batch.run(1)
    await untilBegun(1)
    const others = [batch.run(2), batch.run(3)]
    await turns(5)
    expect(begun).to.deep.equal([[1]])
    ends[0]?.()
    await first
    await untilBegun(2)
    ends[1]?.()
    await Promise.all(others)
    expect(begun).to.deep.equal([[1], [2, 3]])
  })

  it('keeps to its limits of size and concurrency', async () => {
    const { begun, ends, untilBegun, batch } = recorded({ atOnce: 2 })
    const results = Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => batch.run(item)))
    await untilBegun(2)
    await turns(5)
    expect(begun).to.deep.equal([
      [1, 2, 3],
      [4, 5, 6],
    ])
    ends[1]?.()
    await untilBegun(3)
    for (const end of ends) end()
    expect(await results).to.have.length(7)
    expect(begun[2]).to.deep.equal([7])
  })

  it('starts beside a slow one, up to a limit', async () => {
    const { begun, ends, untilBegun, batch } = recorded({ whenSlow: { ms: 1, atOnce: 2 } })
    const results = [batch.run(1)]
    await untilBegun(1)
    results.push(batch.run(2))
    await untilBegun(2)
    results.push(batch.run(3))
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(begun).to.deep.equal([[1], [2]])
    ends[1]?.()
    expect(await results[1]).to.equal(20)
    await untilBegun(3)
    for (const end of ends) end()
    await Promise.all(results)
  })

  it('starts all that wait beside a slow one at once', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const { begun, untilBegun, batch } = recorded({ whenSlow: { ms: 50, atOnce: 4 } })
      void batch.run(0)
      await untilBegun(1)
      for (const item of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) void batch.run(item)
      await turns(5)
      expect(begun).to.deep.equal([[0]])
      mock.timers.tick(50)
      expect(begun).to.deep.equal([[0], [1, 2, 3], [4, 5, 6], [7, 8, 9]])
    } finally {
      mock.timers.reset()
    }
  })

  it('lets single items fail, and all of them when its work does', async () => {
    const { ends, untilBegun, batch } = recorded()
    const some = Promise.allSettled([1, -2].map((item) => batch.run(item)))
    await untilBegun(1)
    ends[0]?.()
    expect((await some).map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected'])
    const failing = new Batch(() => Promise.reject(new Error('all of it')), { items: 3, atOnce: 1 })
    const all = Promise.allSettled([1, 2].map((item) => failing.run(item)))
    expect((await all).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
  })

  it('answers each that is done alone as soon as it is done, and keeps its place until all are', async () => {
    let end: () => void = () => undefined
    const slow = new Promise<void>((resolve) => {
      end = resolve
    })
    const begun: number[][] = []
    const work = async (items: readonly number[]) => {
      begun.push([...items])
      if (items.length > 1) throw new Error('not together')
      if (items[0] === 2) await slow
      return items[0] === 3 ? [] : items
    }
    const batch = new Batch(work, { items: 3, atOnce: 1, orEachAlone: () => true })
    const [one, two, three] = [1, 2, 3].map((item) => batch.run(item))
    expect(await one).to.equal(1)
    expect(await three?.catch((error: unknown) => error)).to.be.instanceOf(TypeError)
    const next = batch.run(4)
    await turns(5)
    expect(begun).to.deep.equal([[1, 2, 3], [1], [2], [3]])
    end()
    expect(await Promise.all([two, next])).to.deep.equal([2, 4])
  })

  it('refuses work that returns fewer results than items', async () => {
    const forgetful = new Batch(async () => [1], { items: 3, atOnce: 1 })
    const outcomes = await Promise.allSettled([1, 2].map((item) => forgetful.run(item)))
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
  })
})
