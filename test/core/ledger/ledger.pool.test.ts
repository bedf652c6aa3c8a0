import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { Pool } from '#core/ledger/ledger.js'
import { refusalOf } from '../../support/refusal.js'

const A = 'at 192.0.2.1'
const B = 'at 192.0.2.2'
const C = 'at 192.0.2.3'
const PERSON = 'IIN123456789011'
const SYSTEM = 'BIN123456789021'

/** Of ten: six for strangers, four of them for one address. */
const share = { stranger: 4, strangers: 6, person: 8, system: 10, whole: 10 }

/** A pool whose waiting is written down: `a b` says that a got it before b. */
function pool(given: Partial<typeof share> = {}) {
  const all = new Pool('memory', { ...share, ...given })
  const got: string[] = []
  const wait = (name: string, owner: string, amount: number, signal?: AbortSignal) => {
    const taken = all.wait(owner, amount, signal)
    taken.then(
      () => got.push(name),
      ({ code, message }) => got.push(`${name}: ${code ?? message}`),
    )
    return taken
  }
  const order = async () => {
    await turn()
    return got.join(' ')
  }
  return { all, wait, order }
}

describe('a share of a host', () => {
  it('is refused to an address that has used it up, without affecting others', () => {
    const { all } = pool()
    all.take(A, 4)
    expect(refusalOf(() => all.take(A, 1))).to.deep.include({
      code: 'shareTaken',
      details: { resource: 'memory', limit: 4, retryAfter: 5 },
    })
    all.take(B, 2)
    all.take(PERSON, 4)
  })

  it('is refused to all strangers when theirs is used up, but not to authenticated callers', () => {
    const { all } = pool()
    all.take(A, 3)
    all.take(B, 3)
    expect(refusalOf(() => all.take(C, 1))).to.include({ code: 'serviceBusy' })
    all.take(SYSTEM, 4)
    expect(refusalOf(() => all.take(PERSON, 1))).to.include({ code: 'serviceBusy' })
  })

  it('is available again after its release, which counts only once', () => {
    const { all } = pool()
    const [first, second] = [all.take(A, 2), all.take(A, 2)]
    first.release()
    first.release()
    all.take(A, 2)
    expect(refusalOf(() => all.take(A, 1)).code).to.equal('shareTaken')
    second.release()
    all.take(A, 2)
  })

  it('caps a request above the share at the share', () => {
    const { all } = pool()
    const large = all.take(A, 100)
    all.take(B, 2)
    expect(refusalOf(() => all.take(A, 1)).code).to.equal('shareTaken')
    large.release()
    all.take(A, 4)
  })

  it('is unlimited when 0', () => {
    const { all } = pool({ stranger: 0, strangers: 0, whole: 0 })
    all.take(A, 1e12)
    all.take(A, 1e12)
    all.take(PERSON, 8)
    expect(refusalOf(() => all.take(PERSON, 1)).code).to.equal('shareTaken')
  })

  it('of size 0 is always available', () => {
    const { all } = pool()
    all.take(SYSTEM, 10)
    all.take(A, 0)
  })
})

describe('waiting for a share of a host', () => {
  it('takes no time while there is enough', async () => {
    const { wait, order } = pool()
    void wait('a', A, 4)
    void wait('person', PERSON, 6)
    expect(await order()).to.equal('a person')
  })

  it('takes turns by owner: an owner with many requests only delays their own', async () => {
    const { all, wait, order } = pool({ stranger: 6 })
    const before = all.take(A, 6)
    const waiting = [wait('a1', A, 6), wait('a2', A, 6), wait('a3', A, 6), wait('b1', B, 6), wait('b2', B, 6)]
    waiting.push(wait('c1', C, 6))
    before.release()
    for (const one of [waiting[0], waiting[3], waiting[5], waiting[1], waiting[4]]) (await one)?.release()
    await waiting[2]
    expect(await order()).to.equal('a1 b1 c1 a2 b2 a3')
  })

  it('lets others pass an owner whose own share is used up', async () => {
    const { all, wait, order } = pool()
    const before = all.take(A, 3)
    void wait('a', A, 2)
    void wait('b', B, 2)
    void wait('person', PERSON, 4)
    expect(await order()).to.equal('b person')
    before.release()
    expect(await order()).to.equal('b person a')
  })

  it('for a large amount is not overtaken by small ones', async () => {
    const { all, wait, order } = pool({ stranger: 6 })
    const [first, second] = [all.take(A, 3), all.take(A, 3)]
    void wait('large', B, 6)
    void wait('small', C, 1)
    first.release()
    void wait('late', A, 1)
    expect(refusalOf(() => all.take(A, 1)).code).to.equal('serviceBusy')
    expect(await order()).to.equal('')
    second.release()
    expect(await order()).to.equal('large')
  })

  it('by strangers delays only strangers', async () => {
    const { all, wait, order } = pool()
    all.take(A, 4)
    void wait('b', B, 4)
    void wait('c', C, 1)
    void wait('person', PERSON, 3)
    all.take(SYSTEM, 3)
    expect(await order()).to.equal('person')
  })

  it('by an authenticated caller delays strangers too', async () => {
    const { all, wait, order } = pool()
    const before = all.take(SYSTEM, 7)
    void wait('person', PERSON, 8)
    void wait('a', A, 1)
    expect(await order()).to.equal('')
    before.release()
    expect(await order()).to.equal('person a')
  })

  it('by an authenticated caller is never caused by strangers, whatever the amount', async () => {
    const { all, wait, order } = pool()
    all.take(A, 4)
    all.take(B, 2)
    const person = wait('person', PERSON, 8)
    void wait('system', SYSTEM, 1)
    expect(await order()).to.equal('person')
    ;(await person).release()
    expect(await order()).to.equal('person system')
  })

  it('by an authenticated caller is not caused by strangers charged beyond their share', async () => {
    const { all, wait, order } = pool()
    all.take(A, 4)
    for (const owner of [A, B, C]) all.charge(owner, 100)
    void wait('person', PERSON, 4)
    void wait('c', C, 1)
    expect(await order()).to.equal('person')
  })

  it('ends when it is aborted, and lets those behind proceed', async () => {
    const { all, wait, order } = pool()
    all.take(A, 4)
    const gone = new AbortController()
    void wait('b', B, 4, gone.signal)
    void wait('c', C, 2)
    expect(await order()).to.equal('')
    gone.abort(new Error('gone'))
    expect(await order()).to.equal('b: gone c')
    void wait('late', B, 1, gone.signal)
    expect(await order()).to.equal('b: gone c late: gone')
  })

  it('does not take an amount twice that is aborted after it was given', async () => {
    const { all, wait, order } = pool()
    const before = all.take(A, 4)
    const gone = new AbortController()
    void wait('a', A, 4, gone.signal)
    before.release()
    gone.abort(new Error('gone'))
    expect(await order()).to.equal('a')
    expect(refusalOf(() => all.take(A, 1)).code).to.equal('shareTaken')
  })

  it('is limited to 64 requests per owner', async () => {
    const { all, wait, order } = pool()
    all.take(A, 4)
    for (let count = 0; count < 65; count += 1) void wait(String(count), A, 1)
    expect(await order()).to.equal('64: shareTaken')
    void wait('b', B, 2)
    expect(await order()).to.equal('64: shareTaken b')
  })

  it('is refused after half a minute, and lets those behind proceed', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const { all, wait, order } = pool()
      all.take(A, 4)
      void wait('own', A, 1)
      void wait('b', B, 4)
      mock.timers.tick(29_999)
      void wait('c', C, 2)
      expect(await order()).to.equal('')
      mock.timers.tick(1)
      expect(await order()).to.equal('own: shareTaken b: serviceBusy c')
    } finally {
      mock.timers.reset()
    }
  })

  it('by ten thousand ends when there is enough for all', async () => {
    const { all, wait } = pool({ stranger: 10_000, strangers: 10_000, whole: 10_000 })
    const before = all.take(A, 10_000)
    const waiting = Array.from({ length: 10_000 }, (_, at) => wait(String(at), `at ${at}`, 1))
    before.release()
    await Promise.all(waiting)
    expect(refusalOf(() => all.take(B, 1)).code).to.equal('serviceBusy')
  })
})
