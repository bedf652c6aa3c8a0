import { mock } from 'node:test'
import { expect } from 'chai'
import type { Logger } from '#core/kernel/logger.js'
import { Schedule, type Schedules, type Task, type TaskGuard } from '#core/kernel/schedule.js'
import { moveDate } from '../../support/moved-date.js'

const EVERY_SECOND = '* * * * * *'
const unguarded: TaskGuard = { guard: (_name, work) => work() }
const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
const scheduleOf = (tasks: readonly Task[], schedules: Schedules = {}, logger = silent) =>
  new Schedule({ tasks, schedules, guard: unguarded, logger })

/** A task that counts its runs; each waits to be released. */
function countingTask(name = 'count') {
  const waiting: (() => void)[] = []
  let runs = 0
  let begun = () => {}
  const first = new Promise<void>((resolve) => {
    begun = resolve
  })
  const run = () => {
    runs += 1
    begun()
    return new Promise<void>((resolve) => void waiting.push(resolve))
  }
  return {
    task: { name, schedule: EVERY_SECOND, run },
    runs: () => runs,
    first,
    letGo: () => waiting.splice(0).map((go) => go()),
  }
}

describe('the schedule', () => {
  it('runs nothing before it is started', async () => {
    const { task, runs } = countingTask()
    const schedule = scheduleOf([task])
    await schedule.stop()
    expect(runs()).to.equal(0)
  })

  it('runs a task, and not again before that run has ended', async () => {
    const { task, runs, first, letGo } = countingTask()
    const other = countingTask('other')
    const schedule = scheduleOf([task, other.task])
    schedule.start()
    await first
    await other.first
    expect(runs()).to.equal(1)
    letGo()
    other.letGo()
    await schedule.stop()
  })

  it('stops when the runs under way have ended', async () => {
    const { task, first, letGo } = countingTask()
    const schedule = scheduleOf([task])
    schedule.start()
    await first
    let stopped = false
    const stopping = schedule.stop().then(() => {
      stopped = true
    })
    expect(stopped).to.equal(false)
    letGo()
    await stopping
  })

  it('tells the runs under way that it stops, also when it was stopped before', async () => {
    let begun: (stopping: AbortSignal) => void = () => undefined
    const run = (stopping: AbortSignal) => {
      begun(stopping)
      return new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()))
    }
    const schedule = scheduleOf([{ name: 'wait', schedule: EVERY_SECOND, run }])
    for (let starts = 0; starts < 2; starts += 1) {
      const running = new Promise<AbortSignal>((resolve) => {
        begun = resolve
      })
      schedule.start()
      const stopping = await running
      expect(stopping.aborted).to.equal(false)
      await schedule.stop()
      expect(stopping.aborted).to.equal(true)
    }
  })

  it('logs a run that failed, and runs again', async () => {
    const errors: unknown[] = []
    const logger: Logger = { ...silent, error: (message, facts) => void errors.push([message, facts?.task]) }
    await new Promise<void>((resolve) => {
      let runs = 0
      const run = async () => {
        runs += 1
        if (runs === 1) throw new Error('no database')
        void schedule.stop().then(resolve)
      }
      const schedule = scheduleOf([{ name: 'fail', schedule: EVERY_SECOND, run }], {}, logger)
      schedule.start()
    })
    expect(errors).to.deep.equal([['A scheduled task failed', 'fail']])
  })

  it('runs a task on the schedule of the operator, and refuses unknown tasks and invalid schedules', async () => {
    const { task, first, letGo } = countingTask()
    const schedule = scheduleOf([{ ...task, schedule: '0 0 1 1 *' }], { count: EVERY_SECOND })
    schedule.start()
    await first
    letGo()
    await schedule.stop()
    expect(() => scheduleOf([task], { count: 'at night' })).to.throw(TypeError, 'count is no cron expression')
    expect(() => scheduleOf([task], { other: EVERY_SECOND })).to.throw(TypeError, 'no task other')
  })

  describe('when the clock jumps', () => {
    const HOUR = 3_600_000
    const warnings: unknown[] = []
    const logger: Logger = { ...silent, warn: (message, facts) => void warnings.push([message, facts]) }
    const ran: string[] = []
    let schedule: Schedule
    /** Lets the promises of runs settle: timers stand still. */
    const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        now += 1000
        mock.timers.tick(1000)
        await settled()
      }
    }
    let now: number
    let restore: () => void

    beforeEach(() => {
      for (const list of [warnings, ran]) list.length = 0
      now = Date.UTC(2026, 0, 15, 12)
      restore = moveDate(() => now)
      mock.timers.enable({ apis: ['setTimeout'] })
      const schedules = { often: '*/5 * * * * *', minutely: '* * * * *', nightly: '17 3 * * *' }
      const tasks = Object.entries(schedules).map(([name, cron]) => ({
        name,
        schedule: cron,
        run: async () => void ran.push(name),
      }))
      schedule = scheduleOf(tasks, {}, logger)
      schedule.start()
    })
    afterEach(async () => {
      await schedule.stop()
      mock.timers.reset()
      restore()
    })
    const runs = (name: string) => ran.filter((one) => one === name).length

    it('runs what is due, and nothing else', async () => {
      await pass(120)
      expect([runs('often'), runs('minutely'), runs('nightly')]).to.deep.equal([24, 2, 0])
      expect(warnings).to.deep.equal([])
    })

    it('makes up for all missed runs by one, with one warning', async () => {
      await pass(6)
      ran.length = 0
      now += 72 * HOUR
      await pass(5)
      expect([runs('often'), runs('minutely'), runs('nightly')]).to.deep.equal([1, 1, 1])
      expect(warnings).to.have.length(1)
      expect(warnings[0]).to.have.nested.property('[1].tasks').that.has.members(['often', 'minutely', 'nightly'])
      await pass(60)
      expect([runs('often'), runs('minutely'), runs('nightly')]).to.deep.equal([13, 2, 1])
      expect(warnings).to.have.length(1)
    })

    it('goes on when the clock is put back', async () => {
      await pass(6)
      ran.length = 0
      now -= 72 * HOUR
      await pass(66)
      expect(runs('often')).to.be.within(12, 14)
      expect(runs('minutely')).to.equal(1)
      expect(warnings).to.deep.equal([])
    })
  })
})
