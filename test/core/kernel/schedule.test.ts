import { expect } from 'chai'
import { Schedule, type TaskGuard } from '../../../core/dist/kernel/schedule.js'

const unguarded: TaskGuard = { guard: (_name, work) => work() }

/** A task that counts its runs; each waits until it is let go. */
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
  return { task: { name, everyMs: 1, run }, runs: () => runs, first, letGo: () => waiting.splice(0).map((go) => go()) }
}

describe('the schedule', () => {
  it('runs nothing before it is started', async () => {
    const { task, runs } = countingTask()
    const schedule = new Schedule([task], unguarded)
    await schedule.stop()
    expect(runs()).to.equal(0)
  })

  it('runs a task, and not again before that run has ended', async () => {
    const { task, runs, first, letGo } = countingTask()
    const other = countingTask('other')
    const schedule = new Schedule([task, other.task], unguarded)
    schedule.start()
    await first
    await other.first
    expect(runs()).to.equal(1)
    letGo()
    other.letGo()
    await schedule.stop()
  })

  it('stops when what has begun has ended', async () => {
    const { task, first, letGo } = countingTask()
    const schedule = new Schedule([task], unguarded)
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

  it('warns of a run that failed, and runs again', async () => {
    let runs = 0
    const again = new Promise<void>((resolve) => {
      const run = async () => {
        runs += 1
        if (runs === 2) return resolve()
        throw new Error('no database')
      }
      schedule = new Schedule([{ name: 'fail', everyMs: 1, run }], unguarded)
    })
    const warned = new Promise<string>((resolve) => process.once('warning', ({ message }) => resolve(message)))
    schedule.start()
    await again
    await schedule.stop()
    expect(await warned).to.equal('Scheduled task fail failed: no database')
  })
  let schedule: Schedule
})
