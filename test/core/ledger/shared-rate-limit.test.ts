import { expect } from 'chai'
import { RateLimit } from '#core/ledger/request-rates.js'
import { SharedRateLimit } from '#core/ledger/shared-rate-limit.js'

const MINUTE = 60_000

describe('a rate limit that several processes share', () => {
  let now: number
  let asked: number
  beforeEach(() => {
    now = 1000
    asked = 0
  })

  const part = (perMinute: number, parts: number) => new RateLimit(perMinute, () => now, undefined, parts)

  /** The limit as so many processes have it. */
  function processes(parts: number, perMinute: number): SharedRateLimit[] {
    const lending: ((key: string, needed: number) => number)[] = []
    return Array.from({ length: parts }, (_, self) => {
      const others = () => lending.filter((_lend, at) => at !== self)
      return new SharedRateLimit('requests', part(perMinute, parts), () => now, {
        parts,
        async borrow(_limit, key, needed) {
          asked += 1
          return others().reduce((sum, lend) => sum + lend(key, needed), 0)
        },
        onBorrow: (_limit, lend) => void lending.push(lend),
      })
    })
  }
  const taken = async (limit: SharedRateLimit | undefined, tries: number, cost = 1) => {
    let count = 0
    for (let n = 0; n < tries; n += 1) if ((await limit?.take('a', cost)) === 0) count += 1
    return count
  }

  for (const parts of [2, 3, 4]) {
    it(`allows as many by one of ${parts} processes as by one alone`, async () => {
      const [first, second] = processes(parts, 60)
      expect(await taken(first, 100)).to.equal(60)
      expect(await taken(second, 100)).to.equal(0)
      now += 1000
      expect((await taken(second, 5)) + (await taken(first, 5))).to.equal(1)
      now += MINUTE
      expect(await taken(second, 100)).to.equal(60)
    })

    it(`allows as many by ${parts} processes in turns as by one alone`, async () => {
      const all = processes(parts, 60)
      let count = 0
      for (let n = 0; n < 40; n += 1) for (const one of all) count += await taken(one, 1)
      expect(count).to.equal(60)
    })
  }

  it('allows as many at once as by one alone', async () => {
    const all = processes(2, 60)
    const waits = await Promise.all(Array.from({ length: 100 }, async (_, n) => all[n % 2]?.take('a')))
    expect(waits.filter((wait) => wait === 0)).to.have.length(60)
  })

  it('says how long a caller has to wait for all of them together, and asks nobody until then', async () => {
    const [first] = processes(2, 60)
    await taken(first, 60)
    asked = 0
    expect(await first?.take('a')).to.equal(1000)
    now += 400
    expect(await first?.take('a')).to.be.closeTo(600, 0.001)
    expect(await taken(first, 10)).to.equal(0)
    expect(asked).to.equal(1)
  })

  it('asks nobody for callers below their part', async () => {
    const [first, second] = processes(2, 60)
    expect([await taken(first, 30), await taken(second, 30)]).to.deep.equal([30, 30])
    expect(asked).to.equal(0)
  })

  it('counts each key separately', async () => {
    const [first] = processes(2, 2)
    await taken(first, 5)
    expect(await first?.take('b')).to.equal(0)
  })

  it('allows what costs more than the part of a process', async () => {
    const [first, second] = processes(2, 100)
    expect(await taken(first, 1, 90)).to.equal(1)
    expect([await taken(second, 1, 20), await taken(second, 1, 10)]).to.deep.equal([0, 1])
    now += MINUTE
    expect(await taken(second, 1, 1000)).to.equal(1)
  })

  it('refuses where no other answers', async () => {
    const silent = { parts: 2, borrow: async () => 0, onBorrow: () => undefined }
    expect(await taken(new SharedRateLimit('requests', part(60, 2), () => now, silent), 100)).to.equal(30)
  })
})
