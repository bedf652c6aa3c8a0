import { mock } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Deliveries,
  type Delivery,
  DeliveryListener,
  type DeliveryTimes,
  type Outcome,
  provideValue,
  type Registry,
} from '@signed-registry/core'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { DeliveryQueue } from '#core/deliveries/delivery-queue.js'
import { SweepDeliveries } from '#core/deliveries/sweep-deliveries.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase, type OpenDatabase } from '../../support/databases.js'
import { gate, OWNER, something, TestChannel } from '../../support/deliveries.js'
import { type TestClock, testClock } from '../../support/pki/authorities.js'
import { until } from '../../support/until.js'

const LEASE = 60_000
/** Attempts that begin within an eighth of this are counted together. */
const SLOW_MS = 400
/** Transactions of this database that wait for a lock. */
const LOCK_WAITS = `select trx_id from information_schema.innodb_trx
  join information_schema.processlist on id = trx_mysql_thread_id and db = database() where trx_state = 'LOCK WAIT'`

describe('deliveries', () => {
  forEachDatabase((open) => {
    let registries: Registry[]
    let clock: TestClock
    let channel: TestChannel
    let warnings: string[]
    let ended: { delivery: Delivery; outcome: Outcome; state: string }[]
    let onEnd: () => void

    const host = async (database: string, deliveryTimes: Partial<DeliveryTimes> = {}) => {
      const listener: DeliveryListener = {
        attempted(delivery, outcome, state) {
          ended.push({ delivery, outcome, state })
          onEnd()
        },
      }
      const logger = {
        info: () => undefined,
        warn: (message: string) => void warnings.push(message),
        error: (message: string) => void warnings.push(message),
      }
      const plugin = { name: 'listener', provides: [provideValue(DeliveryListener, listener)] }
      const times = { pollMs: 20, leaseMs: LEASE, ...deliveryTimes }
      const options = { clock, logger, deliveryTimes: times }
      const registry = await registryWithoutAuthorities(database, options, [channel.plugin, plugin])
      registries.push(registry)
      return registry
    }
    const started = async (openDatabase: OpenDatabase = open) => {
      const registry = await host(await openDatabase())
      registry.start()
      return registry
    }
    const add = (registry: Registry, ...fields: Parameters<typeof something>[0][]) =>
      registry.get(Database).transaction(() => registry.get(Deliveries).add(fields.map((one) => something(one))))
    /** Resolves when so many attempts have ended. */
    const attempts = (count: number) =>
      new Promise<void>((resolve) => {
        onEnd = () => {
          if (ended.length >= count) resolve()
        }
        onEnd()
      })
    /** Attempts wait until the returned function lets them go, and then deliver. */
    const holdUp = () => {
      const { passed, open: letGo } = gate()
      channel.outcome = async () => {
        await passed
        return { state: 'delivered' }
      }
      return letGo
    }
    const all = (registry: Registry) => registry.get(Deliveries).page({ owner: OWNER, channel: 'test' }, 1000)
    /** The only delivery, after the attempts under way have been stored. */
    const only = async (registry: Registry) => {
      await registry.stop()
      const [delivery] = await all(registry)
      registry.start()
      return delivery
    }

    beforeEach(() => {
      registries = []
      clock = testClock()
      channel = new TestChannel()
      warnings = []
      ended = []
      onEnd = () => undefined
    })
    afterEach(() => Promise.all(registries.map((registry) => registry.close())))

    it('are sent once the transaction that made them has committed', async () => {
      const registry = await started()
      const [id] = await add(registry, { payload: { greeting: 'Сәлем' } })
      await attempts(1)
      expect(channel.got[0]).to.deep.include({ id, payload: { greeting: 'Сәлем' }, target: 'one', attempts: 0 })
      expect(await only(registry)).to.include({ id, state: 'delivered', attempts: 1, failures: 0 })
    })

    it('are not made by a transaction that fails', async () => {
      const registry = await started()
      const failed = registry.get(Database).transaction(async () => {
        await registry.get(Deliveries).add([something()])
        throw new Error('halfway')
      })
      await failed.catch(() => undefined)
      expect(await all(registry)).to.have.length(0)
    })

    it('are made by a registry that was not started, and delivered by another that was', async () => {
      const database = await open()
      const [maker, worker] = [await host(database), await host(database)]
      const [id] = await add(maker, {})
      expect(channel.got).to.have.length(0)
      worker.start()
      await attempts(1)
      expect(channel.got.map((delivery) => delivery.id)).to.deep.equal([id])
    })

    it('wait until the given time', async () => {
      const registry = await started()
      await add(registry, { target: 'two', notBefore: clock.now() + 1000 }, {})
      await attempts(1)
      expect(channel.got.map(({ target }) => target)).to.deep.equal(['one'])
      clock.time += 1000
      await attempts(2)
    })

    it('are retried on the schedule of the channel with jitter, and fail visibly after its last attempt', async () => {
      channel.outcome = () => ({ state: 'later', error: 'busy', status: 503, answer: 'come back' })
      const registry = await started()
      const [id = ''] = await add(registry, {})
      const pauses: number[] = []
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        await attempts(attempt)
        const after = await only(registry)
        expect(after).to.include({ attempts: attempt, failures: attempt, lastError: 'busy' })
        expect(after?.state).to.equal(attempt === 3 ? 'failed' : 'waiting')
        pauses.push((after?.nextAt ?? 0) - clock.now())
        clock.time = after?.nextAt ?? 0
      }
      expect(pauses[0]).to.be.within(900, 1100)
      expect(pauses[1]).to.be.within(9000, 11_000)
      expect(warnings).to.deep.equal(['A delivery failed'])
      const kept = await registry.get(Deliveries).attempts([id])
      expect(
        kept.map(({ attempt, outcome, status, answer, error }) => [attempt, outcome, status, answer, error]),
      ).to.deep.equal([1, 2, 3].map((attempt) => [attempt, 'later', 503, 'come back', 'busy']))
    })

    it('wait as long as the receiver asks', async () => {
      channel.outcome = () => ({ state: 'later', error: 'busy', afterMs: 500_000 })
      const registry = await started()
      await add(registry, {})
      await attempts(1)
      expect(((await only(registry))?.nextAt ?? 0) - clock.now()).to.be.within(450_000, 550_000)
    })

    it('that failed are repeated on request, from the start of the schedule', async () => {
      channel.outcome = () => ({ state: 'failed', error: 'no such receiver' })
      const registry = await started()
      const [id = ''] = await add(registry, {})
      await attempts(1)
      expect(await only(registry)).to.include({ state: 'failed', lastError: 'no such receiver' })
      channel.outcome = () => ({ state: 'delivered' })
      expect(await registry.get(Deliveries).again({ owner: OWNER, channel: 'test', id })).to.equal(1)
      await attempts(2)
      expect(await only(registry)).to.include({ id, state: 'delivered', attempts: 2, failures: 0 })
      expect(new Set(channel.got.map((delivery) => delivery.id))).to.deep.equal(new Set([id]))
    })

    it('of a channel that throws are retried, and it is logged', async () => {
      channel.outcome = () => Promise.reject(new Error('a bug'))
      const registry = await started()
      await add(registry, {})
      await attempts(1)
      expect(await only(registry)).to.include({ state: 'waiting', failures: 1 })
      expect(warnings).to.include('A channel failed')
    })

    it('that a channel never finishes count as failed after its time-out, and abort its signal', async () => {
      channel = new TestChannel([1000], 30)
      let aborted = false
      channel.outcome = (_delivery, signal) => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        return new Promise(() => undefined)
      }
      const registry = await started()
      await add(registry, {})
      await attempts(1)
      expect(await only(registry)).to.include({ state: 'waiting', lastError: 'No answer in time' })
      expect(aborted).to.equal(true)
    })

    it('are held by one host at a time, and taken over when its lease has ended', async () => {
      const database = await open()
      const [first, second] = [await host(database), await host(database)]
      const queue = first.get(DeliveryQueue)
      await add(first, {})
      const held = await queue.claim('test', 10, [])
      expect([...(await queue.begin(held))]).to.deep.equal(held)
      expect(await second.get(DeliveryQueue).claim('test', 10, [])).to.have.length(0)
      clock.time += LEASE - 1
      expect(await second.get(DeliveryQueue).recover('test')).to.equal(0)
      expect(await second.get(DeliveryQueue).claim('test', 10, [])).to.have.length(0)
      clock.time += 1
      second.start()
      await attempts(1)
      expect(channel.got[0]?.attempts).to.equal(1)
      const taken = await only(second)
      expect(taken).to.include({ state: 'delivered', attempts: 2, failures: 0 })

      // What the first host reports after its lease is ignored.
      const [claimed] = held
      if (claimed === undefined) throw new Error('nothing was claimed')
      const late = { deliveryId: claimed.id, attempt: 1, startedAt: 0, durationMs: 0, outcome: 'failed' } as const
      const attempt = { ...late, status: undefined, answer: undefined, error: 'late' }
      await queue.settle([{ claimed, attempt, state: 'failed', nextAt: undefined }])
      await queue.renew(held)
      await queue.giveBack(held, 0)
      expect([...(await queue.begin(held))]).to.deep.equal([])
      expect(await only(second)).to.deep.equal(taken)
    })

    /** A host whose receivers are slow, and one of whose attempts is under way; it claims deliveries one at a time. */
    const startedSlow = async (claimed: () => void) => {
      const { passed, open: letGo } = gate()
      channel.outcome = async ({ target }) => {
        await (target === 'held' ? passed : pause(SLOW_MS))
        return { state: 'delivered' }
      }
      const registry = await started()
      const queue = registry.get(DeliveryQueue)
      const claim = queue.claim.bind(queue)
      queue.claim = async (name, _limit, busy, share) => {
        const some = await claim(name, 1, busy, share)
        if (some.length > 0) claimed()
        return some
      }
      await add(registry, { target: 'held' }, {})
      await channel.begun(2)
      await attempts(1)
      return { registry, queue, letGo }
    }

    it('are counted together before they are made, where receivers are slow', async () => {
      const { registry, queue, letGo } = await startedSlow(() => undefined)
      const counted: number[] = []
      const begin = queue.begin.bind(queue)
      queue.begin = (some) => {
        counted.push(some.length)
        return begin(some)
      }
      for (let round = 1; !counted.includes(2); round += 1) {
        await add(registry, {}, {})
        await attempts(1 + 2 * round)
      }
      letGo()
    })

    it('that wait to be counted are given back when the host stops', async () => {
      let stopped: Promise<void> | undefined
      let claimed = () => {}
      const { registry, letGo } = await startedSlow(() => claimed())
      claimed = () => {
        setImmediate(() => {
          stopped ??= registry.stop()
          letGo()
        })
      }
      await add(registry, {})
      await until(async () => stopped !== undefined)
      await stopped
      expect(channel.got).to.have.length(2)
      expect((await all(registry)).filter(({ state }) => state === 'waiting')).to.have.length(1)
    })

    it('that a killed host had not started are as if nobody had held them', async () => {
      const database = await open()
      const [first, second] = [await host(database), await host(database)]
      await add(first, {})
      const held = await first.get(DeliveryQueue).claim('test', 10, [])
      clock.time += LEASE
      second.start()
      await attempts(1)
      expect(channel.got[0]?.attempts).to.equal(0)
      expect(await only(second)).to.include({ state: 'delivered', attempts: 1, failures: 0, lastError: undefined })
      expect([...(await first.get(DeliveryQueue).begin(held))]).to.deep.equal([])
    })

    it('that a host has claimed again after it lost them are started once', async () => {
      const registry = await host(await open())
      const queue = registry.get(DeliveryQueue)
      await add(registry, {}, {})
      const old = await queue.claim('test', 1, [])
      clock.time += LEASE
      const anew = await queue.claim('test', 2, [])
      expect(anew.map(({ id }) => id)).to.include(old[0]?.id)
      expect([...(await queue.begin([...old, ...anew]))]).to.have.deep.members(anew)
      expect((await all(registry)).map((one) => one.attempts)).to.deep.equal([1, 1])
    })

    it('stay with a host for as long as their turns and attempts take, however short its leases are', async () => {
      const letGo = holdUp()
      const database = await open()
      const [first, second] = [await host(database), await host(database)]
      first.start()
      // Four under way, and no more waiting than a target may have: what one claim leaves out, the next one takes.
      await add(first, ...Array.from({ length: 8 }, () => ({})))
      await channel.begun(4)
      const rows = () => first.get(Database).query('registry_deliveries')
      await until(async () => (await rows().whereNull('lease')).length === 0)
      const leases: string[] = await rows().orderBy('id').pluck('lease')
      for (let quarter = 0; quarter < 8; quarter += 1) {
        clock.time += LEASE / 4
        await until(async () => {
          const ends: (number | string)[] = await rows().pluck('next_at')
          expect(warnings).to.deep.equal([])
          return ends.every((end) => Number(end) === clock.now() + LEASE)
        })
        expect(await second.get(DeliveryQueue).recover('test')).to.equal(0)
        expect(await second.get(DeliveryQueue).claim('test', 10, [])).to.have.length(0)
      }
      expect(await rows().orderBy('id').pluck('lease')).to.deep.equal(leases)
      const stopped = first.stop()
      clock.time += LEASE / 4
      await until(async () => {
        const ends = await rows().where({ state: 'sending' }).pluck('next_at')
        return ends.every((end) => Number(end) === clock.now() + LEASE)
      })
      letGo()
      await stopped
      expect(channel.got).to.have.length(4)
    })

    it('have their leases renewed at the next look when that failed', async () => {
      const letGo = holdUp()
      const registry = await started()
      await add(registry, {})
      await channel.begun(1)
      const failing = mock.method(DeliveryQueue.prototype, 'renew', () => Promise.reject(new Error('no connection')), {
        times: 1,
      })
      clock.time += LEASE / 4
      const end = () => registry.get(Database).query('registry_deliveries').pluck('next_at')
      await until(async () => Number((await end())[0]) === clock.now() + LEASE)
      expect(warnings).to.deep.equal(['The leases of deliveries were not renewed'])
      failing.mock.restore()
      letGo()
    })

    it('that a clock which was put back has sent into the future are due', async () => {
      const DAYS = 3 * 24 * 60 * LEASE
      const registry = await host(await open())
      const queue = registry.get(DeliveryQueue)
      const later = { target: 'later', notBefore: clock.now() + DAYS }
      await add(registry, { target: 'held' }, later)
      clock.time += DAYS - 1
      await queue.begin(await queue.claim('test', 1, []))
      await add(registry, { target: 'made' })
      clock.time -= DAYS - 1
      expect(await queue.recover('test')).to.equal(1)
      expect((await queue.claim('test', 10, [])).map(({ target }) => target)).to.deep.equal(['held'])
      await registry.get(SweepDeliveries).run()
      expect((await queue.claim('test', 10, [])).map(({ target }) => target)).to.deep.equal(['made'])
    })

    it('of a dead host are taken over without errors, even after losing a deadlock', async () => {
      const database = await open()
      if (database.startsWith('sqlite:')) return
      const [registry, other] = [await host(database), await host(database)]
      await add(registry, ...Array.from({ length: 20 }, () => ({})))
      await registry.get(DeliveryQueue).begin(await registry.get(DeliveryQueue).claim('test', 20, []))
      const rows = () => other.get(Database).query('registry_deliveries')
      const [first = '', ...more]: string[] = await rows().orderBy('id').pluck('id')
      clock.time += LEASE
      let recovered: Promise<number> | undefined
      await other.get(Database).transaction(async () => {
        // The victim of a deadlock is who has changed less: this one has changed all but one.
        await rows().whereIn('id', more).update({ attempts: 7 })
        recovered = registry.get(DeliveryQueue).recover('test')
        await until(async () => {
          // InnoDB refreshes these after a tenth of a second without queries.
          await pause(150)
          const [waiting]: object[][] = await registry.get(Database).query.raw(LOCK_WAITS)
          return waiting?.length === 1
        })
        await rows().where({ id: first }).update({ attempts: 7 })
      })
      expect(await recovered).to.equal(20)
      expect(warnings).to.deep.equal([])
    })

    it('that crash the host are started again each time, and never given up for that', async () => {
      const registry = await host(await open())
      await add(registry, {})
      const queue = registry.get(DeliveryQueue)
      for (let stop = 0; stop < 20; stop += 1) {
        await queue.begin(await queue.claim('test', 1, []))
        clock.time += LEASE
        expect(await queue.recover('test')).to.equal(1)
      }
      expect((await all(registry))[0]).to.include({ attempts: 20, failures: 0, lastError: 'The host stopped' })
      registry.start()
      await attempts(1)
      expect(channel.got[0]?.attempts).to.equal(20)
      expect(await only(registry)).to.include({ state: 'delivered', attempts: 21, failures: 0 })
    })

    it('go out once each when many workers claim at once', async () => {
      const database = await open()
      const hosts = [await host(database), await host(database), await host(database)]
      const [first] = hosts
      if (first === undefined) throw new Error('no host')
      const targets = Array.from({ length: 300 }, (_, n) => ({ target: `target ${n % 7}` }))
      const ids = await add(first, ...targets)
      for (const one of hosts) one.start()
      await attempts(300)
      for (const one of hosts) await one.stop()
      expect(channel.got.map(({ id }) => id)).to.have.members(ids)
      expect((await all(first)).map(({ state }) => state)).to.deep.equal(ids.map(() => 'delivered'))
    })

    it('are held in memory a thousand at a time, however many there are', async () => {
      const database = await open()
      if (!database.startsWith('sqlite:')) return
      const registry = await host(database)
      const { passed, open: letGo } = gate()
      let most = 0
      let begun = 0
      const held = async () => {
        const leased = registry.get(Database).query('registry_deliveries').whereNotNull('lease')
        const count = Number((await leased.count({ n: '*' }).first())?.n)
        most = Math.max(most, count)
        return count
      }
      channel.outcome = async () => {
        await passed
        begun += 1
        if (begun % 50 === 0) await held()
        return { state: 'delivered' }
      }
      await add(registry, ...Array.from({ length: 1100 }, (_, n) => ({ target: `target ${n}` })))
      registry.start()
      await until(async () => (await held()) >= 1000)
      letGo()
      await attempts(1100)
      expect(most).to.equal(1000)
    })

    it('to a slow receiver hold up nobody else', async () => {
      const { passed, open: letGo } = gate()
      channel.outcome = async ({ target }) => {
        if (target === 'slow') await passed
        return { state: 'delivered' }
      }
      const registry = await started()
      await add(registry, ...Array.from({ length: 400 }, () => ({ target: 'slow' })))
      await channel.begun(4)
      await add(registry, ...Array.from({ length: 50 }, (_, n) => ({ target: `quick ${n}` })))
      await attempts(50)
      expect(ended.every(({ delivery }) => delivery.target !== 'slow')).to.equal(true)
      expect(channel.got.filter(({ target }) => target === 'slow')).to.have.length(4)
      letGo()
      await attempts(450)
    })

    it('to a receiver that is down all wait, and one is tried first', async () => {
      let down = true
      channel.outcome = ({ target }) =>
        down && target === 'down' ? { state: 'later', error: 'down', restTarget: true } : { state: 'delivered' }
      const registry = await host(await open())
      await add(registry, ...Array.from({ length: 200 }, () => ({ target: 'down' })), { target: 'up' })
      registry.start()
      await attempts(5)
      await registry.stop()
      const tried = channel.got.filter(({ target }) => target === 'down').length
      expect(tried).to.be.at.most(4)
      expect((await all(registry)).filter(({ attempts: count }) => count > 0)).to.have.length(tried + 1)
      down = false
      registry.start()
      clock.time += 2000
      await attempts(tried + 201)
    })

    it('stop when what is under way has ended, and give back the rest', async () => {
      const letGo = holdUp()
      const registry = await started()
      await add(registry, ...Array.from({ length: 10 }, () => ({})))
      await channel.begun(4)
      const stopped = registry.stop()
      letGo()
      await stopped
      const states = (await all(registry)).map(({ state }) => state)
      expect(channel.got).to.have.length(4)
      expect(states.filter((state) => state === 'delivered')).to.have.length(4)
      expect(states.filter((state) => state === 'waiting')).to.have.length(6)
    })

    it('are deleted some time after they were finished, failed ones later', async () => {
      channel.outcome = ({ target }) =>
        target === 'bad' ? { state: 'failed', error: 'no' } : { state: 'delivered', answer: 'ok' }
      const registry = await host(await open(), { keepDeliveredMs: 1000, keepFailedMs: 5000 })
      registry.start()
      await add(registry, {}, { target: 'bad' }, { target: 'later', notBefore: clock.now() + 100_000 })
      await attempts(2)
      await registry.stop()
      const left = async () => {
        await registry.get(SweepDeliveries).run()
        return (await all(registry)).map(({ target }) => target)
      }
      expect(await left()).to.have.members(['one', 'bad', 'later'])
      clock.time += 1000
      expect(await left()).to.have.members(['bad', 'later'])
      clock.time += 4000
      expect(await left()).to.have.members(['later'])
      expect(await registry.get(Database).query('registry_delivery_attempts').select()).to.deep.equal([])
    })

    it('are counted as the backlog', async () => {
      channel.outcome = () => ({ state: 'failed', error: 'no' })
      const registry = await host(await open())
      const queue = registry.get(DeliveryQueue)
      expect(await queue.depth('test')).to.deep.equal({ pending: 0, failed: 0, oldestAt: undefined })
      const first = clock.now()
      await add(registry, {})
      clock.time += 1000
      await add(registry, {})
      expect(await queue.depth('test')).to.deep.equal({ pending: 2, failed: 0, oldestAt: first })
      registry.start()
      await attempts(2)
      await registry.stop()
      expect(await queue.depth('test')).to.deep.equal({ pending: 0, failed: 2, oldestAt: undefined })
    })

    it('are listed newest first in pages that never split a millisecond', async () => {
      const registry = await host(await open())
      await add(registry, {}, {}, {})
      clock.time += 1
      await add(registry, {})
      const page = (until?: number) =>
        registry.get(Deliveries).page({ owner: OWNER, channel: 'test', ...(until && { until }) }, 2)
      const [newest] = await page()
      expect(await page()).to.have.length(4)
      expect(newest?.createdAt).to.equal(clock.now())
      expect(await page(clock.now())).to.have.length(3)
      expect(await page(clock.now() - 1)).to.have.length(0)
    })
  })

  it('refuse two channels of the same name', async () => {
    const plugins = [1, 2].map((n) => ({ ...new TestChannel().plugin, name: `channel ${n}` }))
    const opened = registryWithoutAuthorities('sqlite::memory:', {}, plugins)
    const refusal = await opened.then(
      () => 'it was opened',
      (error: Error) => error.message,
    )
    expect(refusal).to.equal('Two channels are called test')
  })
})
