import { CardError, type CardFault } from '@signed-registry/core'
import type { Done, Job } from './job.js'
import { type JobLimits, PdfProcess } from './pdf-process.js'

/** How many processes there are, and how long one waits for them. */
export interface ProcessesLimits extends JobLimits {
  readonly processes: number
  /** Jobs that wait for a process; more are refused. */
  readonly waiting: number
  /** Milliseconds that a job waits for one before it is refused. */
  readonly waitMs: number
}

/** A process that nothing was asked of for so long ends. */
const IDLE_MS = 30_000

interface Waiting {
  begin(): void
  refuse(fault: CardFault): void
}

/** Does jobs in a few processes, in the order in which they come. Processes begin with jobs, and end when there are none. */
export class PdfProcesses {
  private readonly all = new Set<PdfProcess>()
  private readonly idle = new Map<PdfProcess, NodeJS.Timeout>()
  private readonly queue = new Set<Waiting>()
  private working = 0
  private isClosed = false

  constructor(private readonly limits: ProcessesLimits) {}

  /** What came of it. Rejects with `CardError`. */
  async run(job: Job): Promise<Done> {
    await this.turn()
    try {
      const one = this.process()
      const { done, isSpent } = await one.ask(job)
      if (isSpent) one.end()
      else this.rest(one)
      return done
    } finally {
      this.pass()
    }
  }

  /** Ends all processes, and has ended them then. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const waiting of [...this.queue]) waiting.refuse('unavailable')
    const all = [...this.all]
    for (const one of all) one.end()
    await Promise.all(all.map(({ ended }) => ended))
  }

  private async turn(): Promise<void> {
    if (this.isClosed) throw new CardError('unavailable')
    if (this.working < this.limits.processes) {
      this.working += 1
      return
    }
    if (this.queue.size >= this.limits.waiting) throw new CardError('busy')
    await new Promise<void>((resolve, reject) => {
      const settled = () => {
        clearTimeout(late)
        this.queue.delete(waiting)
      }
      const waiting: Waiting = {
        begin() {
          settled()
          resolve()
        },
        refuse(fault) {
          settled()
          reject(new CardError(fault))
        },
      }
      const late = setTimeout(() => waiting.refuse('busy'), this.limits.waitMs)
      this.queue.add(waiting)
    })
  }

  /** Gives a turn to the one that waits longest. */
  private pass(): void {
    const [next] = this.queue
    if (next === undefined) this.working -= 1
    else next.begin()
  }

  private process(): PdfProcess {
    const [rested] = this.idle
    if (rested !== undefined) {
      const [one, timer] = rested
      clearTimeout(timer)
      this.idle.delete(one)
      return one
    }
    if (this.isClosed) throw new CardError('unavailable')
    const one = begun(this.limits)
    this.all.add(one)
    void one.ended.then(() => {
      this.all.delete(one)
      clearTimeout(this.idle.get(one))
      this.idle.delete(one)
    })
    return one
  }

  private rest(one: PdfProcess): void {
    if (this.all.has(one)) this.idle.set(one, setTimeout(() => one.end(), IDLE_MS).unref())
  }
}

function begun(limits: JobLimits): PdfProcess {
  try {
    return new PdfProcess(limits)
  } catch (cause) {
    throw new CardError('failed', { cause })
  }
}
