import { expect } from 'chai'
import { Groups } from '#core/database/groups.js'

/** Work that ends on demand, one group after the other. */
function recorded(judge: (item: number) => void = () => undefined) {
  const groups: number[][] = []
  const ends: (() => void)[] = []
  const work = async (items: readonly number[]) => {
    groups.push([...items])
    await new Promise<void>((resolve) => ends.push(resolve))
    for (const item of items) judge(item)
    return items.map((item) => item * 10)
  }
  const untilBegun = async (count: number) => {
    while (groups.length < count) await new Promise(setImmediate)
  }
  return { groups, ends, untilBegun, together: new Groups(work) }
}

/** Ends every group as soon as it begins. */
async function endAll({ ends }: ReturnType<typeof recorded>, all: Promise<unknown>) {
  let isDone = false
  void all.then(() => {
    isDone = true
  })
  while (!isDone) {
    for (const end of ends.splice(0)) end()
    await new Promise(setImmediate)
  }
}

describe('a group of concurrent items', () => {
  it('is processed at once, and each item gets its own result', async () => {
    const { groups, ends, untilBegun, together } = recorded()
    const all = [1, 2, 3].map((item) => together.run(item))
    await untilBegun(1)
    ends[0]?.()
    expect(await Promise.all(all)).to.deep.equal([10, 20, 30])
    expect(groups).to.deep.equal([[1, 2, 3]])
  })

  it('does not wait for more items', async () => {
    const { ends, untilBegun, together } = recorded()
    const alone = together.run(1)
    await untilBegun(1)
    ends[0]?.()
    expect(await alone).to.equal(10)
  })

  it('is not held up by a slow group', async () => {
    const { ends, untilBegun, together } = recorded()
    const slow = together.run(1)
    await untilBegun(1)
    const next = together.run(2)
    await untilBegun(2)
    ends[1]?.()
    expect(await next).to.equal(20)
    ends[0]?.()
    await slow
  })

  it('takes the items that arrived while another was under way', async () => {
    const { groups, ends, untilBegun, together } = recorded()
    const first = together.run(1)
    await untilBegun(1)
    const others = [together.run(2), together.run(3)]
    ends[0]?.()
    await first
    await untilBegun(2)
    ends[1]?.()
    expect(await Promise.all(others)).to.deep.equal([20, 30])
    expect(groups).to.deep.equal([[1], [2, 3]])
  })

  it('lets each item succeed or fail alone', async () => {
    const refused = new Error('two is refused')
    const work = recorded((item) => {
      if (item === 2) throw refused
    })
    const all = Promise.allSettled([1, 2, 3].map((item) => work.together.run(item)))
    await endAll(work, all)
    expect(await all).to.deep.equal([
      { status: 'fulfilled', value: 10 },
      { status: 'rejected', reason: refused },
      { status: 'fulfilled', value: 30 },
    ])
    expect(work.groups).to.deep.equal([[1, 2, 3], [1], [2], [3]])
  })

  it('is not retried one by one when the database cannot be reached', async () => {
    const lost = Object.assign(new Error('connection lost'), { fatal: true })
    const work = recorded(() => {
      throw lost
    })
    const all = Promise.allSettled([1, 2, 3].map((item) => work.together.run(item)))
    await endAll(work, all)
    expect((await all).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
    expect(work.groups).to.have.length(1)
  })

  it('is limited in size', async () => {
    const work = recorded()
    const all = Promise.all(Array.from({ length: 100 }, (_, item) => work.together.run(item)))
    await endAll(work, all)
    expect(Math.max(...work.groups.map(({ length }) => length))).to.equal(32)
  })
})
