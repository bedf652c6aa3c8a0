import type { Newable } from 'inversify'
import { type ScheduledTask as CronTask, schedule as scheduleCron, validate } from 'node-cron'
import { Logger } from './logger.js'
import { port } from './port.js'
import type { Dependencies, Injected } from './service.js'

/** Work that a running registry repeats. */
export interface ScheduledTask {
  /** One run. It may be cut short at any point, and run again. */
  run(): Promise<void>
}

/** Says when a task runs. */
export interface TaskSpec {
  /** Unique, camelCase; only one host at a time runs the task of this name. */
  readonly name: string
  /** A cron expression of five fields, or of six with seconds; operators may choose another (`schedules`). */
  readonly schedule: string
}

/** A class of repeated work: `static readonly task = { name: 'failOverdueItems', schedule: '* * * * *' }`. */
export type AnyTask = Newable<ScheduledTask> & { readonly inject?: Dependencies; readonly task: TaskSpec }

/** A task of a registry and what it does. */
export interface Task extends TaskSpec, ScheduledTask {}
export const Tasks = port<readonly Task[]>('Tasks', 'defaulted')

/** Runs a task unless another host does. */
export interface TaskGuard {
  guard(name: string, work: () => Promise<void>): Promise<void>
}
export const TaskGuard = port<TaskGuard>('TaskGuard', 'defaulted')

/** Other schedules than the tasks' own, by the names of tasks. A name that no task has, or no cron expression, is a `ScheduleError`. */
export type Schedules = Readonly<Record<string, string>>
export const Schedules = port<Schedules>('Schedules', 'defaulted')

/** Schedules that cannot be kept. */
export class ScheduleError extends TypeError {
  override readonly name = 'ScheduleError'
}

/** Runs tasks by their schedules, between `start` and `stop`. */
export class Schedule {
  static readonly inject = { tasks: Tasks, schedules: Schedules, guard: TaskGuard, logger: Logger }
  private readonly planned: readonly Task[]
  private readonly crons = new Set<CronTask>()
  private readonly running = new Map<string, Promise<void>>()

  constructor(private readonly use: Injected<typeof Schedule.inject>) {
    this.planned = planned(use.tasks, use.schedules)
  }

  start(): void {
    if (this.crons.size > 0) return
    for (const task of this.planned) {
      this.crons.add(scheduleCron(task.schedule, () => this.run(task), { name: task.name }))
    }
  }

  /** Resolves when the runs that have begun have ended. */
  async stop(): Promise<void> {
    for (const cron of this.crons) await cron.destroy()
    this.crons.clear()
    await Promise.all(this.running.values())
  }

  private run(task: Task): void {
    if (this.running.has(task.name)) return
    const run = this.use.guard
      .guard(task.name, () => task.run())
      // Nobody waits for a task: its next run tries again.
      .catch((error: unknown) => this.use.logger.error('A scheduled task failed', { task: task.name, error }))
      .finally(() => this.running.delete(task.name))
    this.running.set(task.name, run)
  }
}

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
    run: () => task.run(),
  }))
}
