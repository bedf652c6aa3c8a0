import {
  CallStatistics,
  Check,
  CheckStates,
  type Finding,
  provideValue,
  type Registry,
  type Schedules,
} from '@signed-registry/core'
import { GetExternalServicesStats } from '@signed-registry/core/status'
import { expect } from 'chai'
import { SqlCallStatistics } from '#core/status/call-statistics.js'
import { RepeatChecks } from '#core/status/repeat-checks.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { MINUTE, NOW, testClock } from '../../support/pki/authorities.js'
import { RecordingLogger } from '../../support/recording-logger.js'

const SERVICE = { protocol: 'tsp', url: 'http://tsa.invalid/' } as const
const GOOD: readonly Finding[] = [{ state: 'ok', text: 'it answers' }]
const DOWN: readonly Finding[] = [{ state: 'fail', text: 'it keeps silent; start it' }]

describe('checks that are repeated', () => {
  forEachDatabase((open) => {
    const clock = testClock()
    const logger = new RecordingLogger()
    let asked: number
    let finds: (signal: AbortSignal) => Promise<readonly Finding[]>
    let one: Registry
    let other: Registry
    const started = (database: string, limits = {}, more: Partial<Check> = {}, schedules: Schedules = {}) => {
      const check: Check = {
        ...{ name: 'time stamps', isRequired: false, service: SERVICE, ...more },
        check(signal) {
          asked += 1
          return finds(signal)
        },
      }
      const plugins = [{ name: 'checked', provides: [provideValue(Check, check)] }]
      return registryWithoutAuthorities(database, { clock, logger, limits, schedules }, plugins)
    }
    const run = (registry = one) => registry.get(RepeatChecks).run()
    const told = async (registry = one) =>
      (await registry.get(CheckStates).told()).map(({ isGood, goodAt }) => [isGood, goodAt])
    const called = async (ok: boolean) => {
      one.get(CallStatistics).record({ ...SERVICE, ok })
      await one.get(SqlCallStatistics).written()
    }
    beforeEach(async () => {
      clock.time = NOW
      asked = 0
      finds = async () => GOOD
      logger.said.length = 0
      const database = await open()
      one = await started(database)
      other = await started(database)
    })
    afterEach(async () => {
      await one.close()
      await other.close()
    })

    it('are asked once in ten minutes, by one of two hosts, and told by both', async () => {
      for (let minute = 0; minute < 30; minute += 1) {
        await run(minute % 2 === 0 ? one : other)
        // Whose clock is a little behind.
        clock.time -= 5
        await run(minute % 2 === 0 ? other : one)
        clock.time += MINUTE + 5
      }
      expect(asked).to.equal(3)
      const good = [[true, NOW + 20 * MINUTE]]
      expect([await told(one), await told(other)]).to.deep.equal([good, good])
    })

    it('are asked each minute for ten while they fail, then as before; that is told until they are good again', async () => {
      await run()
      finds = async () => DOWN
      for (let minute = 0; minute < 12; minute += 1) {
        clock.time += MINUTE
        await run()
      }
      expect([asked, await told()]).to.deep.equal([4, [[false, NOW]]])
      for (let minute = 12; minute < 40; minute += 1) {
        clock.time += MINUTE
        await run()
      }
      // From the tenth minute to the nineteenth, and at the twenty-ninth and the thirty-ninth.
      expect([asked, await told()]).to.deep.equal([13, [[false, NOW]]])
      finds = async () => GOOD
      clock.time += 10 * MINUTE
      await run(other)
      expect([asked, await told()]).to.deep.equal([14, [[true, clock.time]]])
    })

    it('are told to the log once, with what is wrong', async () => {
      finds = async () => [...GOOD, ...DOWN]
      await run()
      clock.time += MINUTE
      await run()
      expect(logger.about(/^A check fails$/)).to.deep.equal([
        { check: 'time stamps', found: ['it keeps silent; start it'] },
      ])
    })

    it('fail when they reject, or do not end in time', async () => {
      finds = () => Promise.reject(new Error('no route to host'))
      await run()
      expect(await told()).to.deep.equal([[false, undefined]])
      const slow = await started(await open(), {}, { timeoutMs: 1 })
      finds = () => new Promise(() => undefined)
      await run(slow)
      expect(await told(slow)).to.deep.equal([[false, undefined]])
      await slow.close()
    })

    it('are good with a warning', async () => {
      finds = async () => [{ state: 'warn', text: 'the clocks differ: set one' }]
      await run()
      expect(await told()).to.deep.equal([[true, NOW]])
    })

    it('are not known to be good when nobody has asked for half an hour', async () => {
      await run()
      clock.time += 30 * MINUTE
      expect(await told()).to.deep.equal([[true, NOW]])
      clock.time += 1
      expect(await told()).to.deep.equal([[false, NOW]])
    })

    it('are not asked while calls succeed, and count in no statistics', async () => {
      await called(true)
      clock.time += 10 * MINUTE
      await run()
      expect([asked, await told()]).to.deep.equal([0, [[true, NOW]]])
      clock.time += MINUTE
      await run()
      expect([asked, await told()]).to.deep.equal([1, [[true, clock.time]]])
      clock.time += 60 * MINUTE
      await run()
      expect(asked).to.equal(2)
      expect(await one.get(GetExternalServicesStats).execute()).to.deep.equal([{ ...SERVICE, status: 'white' }])
    })

    it('are not asked while each minute has a call that succeeds, where they are asked each minute', async () => {
      await one.close()
      one = await started(await open(), { checkEveryMs: MINUTE })
      await run()
      expect(asked).to.equal(1)
      for (let minute = 0; minute < 5; minute += 1) {
        clock.time += MINUTE / 2
        await called(true)
        clock.time += MINUTE / 2
        await run()
        expect((await told())[0]?.[0]).to.equal(true)
      }
      expect(asked).to.equal(1)
      clock.time += MINUTE
      await run()
      expect([asked, await told()]).to.deep.equal([2, [[true, clock.time]]])
    })

    it('are asked when the last minute with calls had one that failed', async () => {
      await called(true)
      clock.time += MINUTE
      await called(true)
      await called(false)
      await run()
      expect(asked).to.equal(1)
    })

    it('fail whatever succeeded before they did, and are good with a call that succeeds later', async () => {
      await called(true)
      clock.time += 11 * MINUTE
      finds = async () => DOWN
      await run()
      await called(true)
      clock.time += MINUTE
      await run()
      expect([asked, await told()]).to.deep.equal([2, [[false, undefined]]])
      clock.time += MINUTE
      await called(true)
      await run()
      expect([asked, await told()]).to.deep.equal([2, [[true, NOW + 13 * MINUTE]]])
    })

    it('are left when the registry stops, and nothing is kept of them', async () => {
      const database = await open()
      const stopped = await started(database, {}, {}, { repeatChecks: '* * * * * *' })
      const signal = await new Promise<AbortSignal>((resolve) => {
        finds = (given) => {
          resolve(given)
          return new Promise(() => undefined)
        }
        stopped.start()
      })
      await stopped.close()
      expect(signal.aborted).to.equal(true)
      const again = await started(database)
      expect([await told(again), logger.about(/check/)]).to.deep.equal([[], []])
      await again.close()
    })

    it('are forgotten when there is nothing to ask any more', async () => {
      await run()
      finds = async () => []
      clock.time += 10 * MINUTE
      await run()
      expect([asked, await told()]).to.deep.equal([2, []])
    })

    it('are asked at once when the clock was set back', async () => {
      await run()
      clock.time -= 60 * MINUTE
      await run()
      expect(asked).to.equal(2)
    })

    it('are neither asked nor told where that is off', async () => {
      const database = await open()
      const off = await started(database, { checkEveryMs: 0 })
      await run(off)
      expect([asked, await told(off)]).to.deep.equal([0, []])
      const on = await started(database)
      await run(on)
      expect([asked, await told(off)]).to.deep.equal([1, []])
      await off.close()
      await on.close()
    })

    it('are none that one host may fail while others do not', async () => {
      const required = await started(await open(), {}, { isRequired: true })
      await run(required)
      expect([asked, await told(required)]).to.deep.equal([0, []])
      await required.close()
    })

    it('are told by hosts that have them alone', async () => {
      const database = await open()
      const first = await started(database)
      const second = await started(database, {}, { name: 'scanner' })
      await run(first)
      expect(await told(second)).to.deep.equal([])
      await first.close()
      await second.close()
    })
  })
})
