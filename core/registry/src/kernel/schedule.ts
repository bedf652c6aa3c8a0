import type { Newable } from 'inversify'
import { type ScheduledTask as Cron, createTask, validate } from 'node-cron'
import { Logger } from './logger.js'
import { port } from './port.js'
import type { Dependencies, Injected } from './service.js'

/** Work that a registry does on a schedule. */
export interface ScheduledTask {
  /** One run. It may be interrupted at any point, and run again. A run that waits for somebody ends when `stopping` aborts. */
  run(stopping: AbortSignal): Promise<void>
}

/** When a task runs. */
export interface TaskSpec {
  /** Unique, camelCase; only one host at a time runs the task of this name. */
  readonly name: string
  /** A cron expression of five fields, or of six with seconds; operators may choose another (`schedules`). */
  readonly schedule: string
}

/** A class of scheduled work: `static readonly task = { name: 'failOverdueItems', schedule: '* * * * *' }`. */
export type AnyTask = Newable<ScheduledTask> & { readonly inject?: Dependencies; readonly task: TaskSpec }

/** A task of a registry with its work. */
export interface Task extends TaskSpec, ScheduledTask {}
export const Tasks = port<readonly Task[]>('Tasks', 'defaulted')

/** Runs a task unless another host is running it. */
export interface TaskGuard {
  guard(name: string, work: () => Promise<void>): Promise<void>
}
export const TaskGuard = port<TaskGuard>('TaskGuard', 'defaulted')

/** Overrides of schedules by the names of tasks. An unknown name or an invalid cron expression is a `ScheduleError`. */
export type Schedules = Readonly<Record<string, string>>
export const Schedules = port<Schedules>('Schedules', 'defaulted')

/** An override that names no task, or is no cron expression. */
export class ScheduleError extends TypeError {
  override readonly name = 'ScheduleError'
}

/** How late a change of the system clock is noticed at most. */
const MAX_SLEEP_MS = 60_000
/** A timer that is this late was blocked, or the clock was put forward: worth a warning. */
const LATE_MS = 10_000

/** A task and when it runs next, by the clock of the machine, milliseconds. */
interface Plan {
  readonly task: Task
  readonly cron: Cron
  nextAt: number
}

/**
 * Runs tasks on their schedules, between `start` and `stop`. Missed runs are made up for by one. Only the times come from
 * node-cron: its timers repeat every run that was missed, and stand still for as long as the clock was put back.
 */
export class Schedule {
  static readonly inject = { tasks: Tasks, schedules: Schedules, guard: TaskGuard, logger: Logger }
  private readonly planned: readonly Task[]
  private plans: readonly Plan[] = []
  private timer: NodeJS.Timeout | undefined
  private readonly running = new Map<string, { readonly ended: Promise<void>; readonly stopping: AbortController }>()

  constructor(private readonly use: Injected<typeof Schedule.inject>) {
    this.planned = planned(use.tasks, use.schedules)
  }

  start(): void {
    if (this.plans.length > 0) return
    this.plans = this.planned.map((task) => {
      const cron = createTask(task.schedule, () => undefined)
      return { task, cron, nextAt: next(cron) }
    })
    this.sleep()
  }

  /** Tells the runs under way, and resolves when they have ended. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    for (const { stopping } of this.running.values()) stopping.abort()
    // node-cron keeps each one in a global list until it is destroyed.
    for (const { cron } of this.plans) await cron.destroy()
    this.plans = []
    await Promise.all([...this.running.values()].map(({ ended }) => ended))
  }

  private sleep(): void {
    const first = Math.min(...this.plans.map(({ nextAt }) => nextAt))
    const sleepMs = Math.min(Math.max(first - Date.now(), 1), MAX_SLEEP_MS)
    this.timer = setTimeout(() => this.wake(), sleepMs)
  }

  private wake(): void {
    const now = Date.now()
    const due = this.plans.filter(({ nextAt }) => nextAt <= now)
    const lateMs = Math.max(0, ...due.map(({ nextAt }) => now - nextAt))
    if (lateMs >= LATE_MS) {
      const tasks = due.map(({ task }) => task.name)
      this.use.logger.warn('Scheduled tasks run late: the process was held up or its clock put forward', {
        lateMs,
        tasks,
      })
    }
    for (const plan of this.plans) {
      // The earlier time counts: the clock may have been put back, and node-cron skips the hour that autumn repeats.
      const again = next(plan.cron)
      plan.nextAt = plan.nextAt <= now ? again : Math.min(plan.nextAt, again)
    }
    for (const { task } of due) this.run(task)
    this.sleep()
  }

  private run(task: Task): void {
    if (this.running.has(task.name)) return
    const stopping = new AbortController()
    const ended = this.use.guard
      .guard(task.name, () => task.run(stopping.signal))
      // The error ends here: the next run tries again.
      .catch((error: unknown) => this.use.logger.error('A scheduled task failed', { task: task.name, error }))
      .finally(() => this.running.delete(task.name))
    this.running.set(task.name, { ended, stopping })
  }
}

/** The next time that matches an expression. */
const next = (cron: Cron): number => cron.getNextRuns(1)[0]?.getTime() ?? Number.POSITIVE_INFINITY

function planned(tasks: readonly Task[], schedules: Schedules): readonly Task[] {
  const names = new Set(tasks.map(({ name }) => name))
  for (const [name, schedule] of Object.entries(schedules)) {
    if (!names.has(name))
      throw new ScheduleError(`There is no task ${name} to schedule; there are ${[...names].join(', ')}`)
    if (!validate(schedule)) throw new ScheduleError(`The schedule of ${name} is no cron expression: ${schedule}`)
  }
  return tasks.map((task) => ({
    name: task.name,
    schedule: schedules[task.name] ?? task.schedule,
    run: (stopping) => task.run(stopping),
  }))
}
