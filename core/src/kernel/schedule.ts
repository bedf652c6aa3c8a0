import { all, token } from './token.js'

/** Work that a running registry repeats. */
export interface ScheduledTask {
  /** Unique; only one host at a time runs the task of this name. */
  readonly name: string
  /** Milliseconds between two runs. */
  readonly everyMs: number
  /** One run. It may be cut short at any point, and run again. */
  run(): Promise<void>
}
export const ScheduledTask = token<ScheduledTask>('ScheduledTask')

/** Runs a task unless another host does. */
export interface TaskGuard {
  guard(name: string, work: () => Promise<void>): Promise<void>
}
export const TaskGuard = token<TaskGuard>('TaskGuard')

/** Runs scheduled tasks, between `start` and `stop`. */
export class Schedule {
  static readonly inject = [all(ScheduledTask), TaskGuard] as const
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #running = new Map<string, Promise<void>>()

  constructor(
    private readonly tasks: ScheduledTask[] | undefined,
    private readonly guard: TaskGuard,
  ) {}

  start(): void {
    if (this.#timers.size > 0) return
    for (const task of this.tasks ?? []) {
      this.#timers.add(setInterval(() => this.#run(task), task.everyMs).unref())
    }
  }

  /** Resolves when the runs that have begun have ended. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers.clear()
    await Promise.all(this.#running.values())
  }

  #run(task: ScheduledTask): void {
    if (this.#running.has(task.name)) return
    const run = this.guard
      .guard(task.name, () => task.run())
      .catch((error: unknown) => {
        // Nobody waits for a task: its next run tries again.
        process.emitWarning(`Scheduled task ${task.name} failed: ${error instanceof Error ? error.message : error}`)
      })
      .finally(() => this.#running.delete(task.name))
    this.#running.set(task.name, run)
  }
}
