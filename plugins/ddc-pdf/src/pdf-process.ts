import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { CardError, type CardFault } from '@signed-registry/core'
import type { Answered, FromProcess, Job } from './job.js'
import { isFromProcess } from './job.js'
import { kernelLimits, limitedNode } from './kernel-limits.js'
import { Frames, framed, MAX_TEXT_BYTES } from './messages.js'

/** How much one job may take. */
export interface JobLimits {
  /** Milliseconds from its beginning, while the processor is there for it or not. */
  readonly timeoutMs: number
  /** Seconds of the processor. */
  readonly processorSeconds: number
  /** Mebibytes of the process that does it. */
  readonly memoryMb: number
}

const MODULE = fileURLToPath(new URL('./worker.js', import.meta.url))
/** A process does jobs until it has had this part of the processor time of one, so that each has all of its own. */
const SPENT = 0.5
/** Signals that end a process which has no more memory. */
const CRASHES: ReadonlySet<unknown> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS'])
/** Exit code of Node without memory, where there are no signals. */
const ABORTED = 134

/** How a process ended. */
interface Ending {
  readonly code: unknown
  readonly signal: unknown
  readonly cause?: unknown
}

/**
 * A process that does one job after the other, and is ended by the kernel, or by us, when one takes too much. It inherits no
 * environment, no descriptors and no folder of the host's.
 */
export class PdfProcess {
  /** Settles when it has ended, or could not begin. */
  readonly ended: Promise<Ending>
  private readonly child: ChildProcessByStdio<Writable, Readable, null>
  private readonly frames: Frames<FromProcess>
  private readonly ready: Promise<boolean>
  private endedFor: CardFault | undefined

  constructor(private readonly limits: JobLimits) {
    const { memoryMb, processorSeconds } = limits
    const processLimits = { memoryMb, processorSeconds: Math.ceil(processorSeconds * (1 + SPENT)) }
    const enough = [processorSeconds * SPENT * 1000, memoryMb * SPENT * 2 ** 20].map(String)
    const { command, args } = limitedNode(processLimits, MODULE, enough)
    const { SystemRoot } = process.env
    this.child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: '/',
      env: SystemRoot === undefined ? {} : { SystemRoot },
      windowsHide: true,
    })
    this.ended = once(this.child, 'exit').then(
      ([code = null, signal = null]: (number | string | null)[]) => ({ code, signal }),
      (cause: unknown) => ({ code: null, signal: null, cause }),
    )
    this.child.on('error', () => undefined)
    // What it does not read any more is told by its end.
    this.child.stdin.on('error', () => undefined)
    this.frames = new Frames(this.child.stdout, { octets: memoryMb * 2 ** 20, text: MAX_TEXT_BYTES }, isFromProcess)
    this.ready = this.said().then((said) => said === 'ready')
    this.letGo()
  }

  /** The answer. Rejects with `CardError`, and has ended then. */
  async ask(job: Job): Promise<Answered> {
    this.hold()
    const late = setTimeout(() => this.end(kernelLimits ? 'busy' : 'timeout'), this.limits.timeoutMs)
    try {
      if (!(await this.ready)) throw await this.failure(() => 'failed')
      for (const piece of framed(job)) this.child.stdin.write(piece)
      const said = await this.said()
      if (said === undefined || said === 'ready') throw await this.failure(faultOf)
      return said
    } finally {
      clearTimeout(late)
      this.letGo()
    }
  }

  /** Ends it at once; a job that it has fails for this. */
  end(why: CardFault = 'unavailable'): void {
    this.endedFor ??= why
    this.child.kill('SIGKILL')
    // Whoever waits for its end may have nothing else to wait for.
    this.child.ref()
  }

  private said(): Promise<FromProcess | undefined> {
    return this.frames.next().catch(() => undefined)
  }

  private async failure(fault: (ending: Ending) => CardFault): Promise<CardError> {
    // One that says what it should not has not ended yet; how others ended stays as it is.
    this.child.kill('SIGKILL')
    const ending = await this.ended
    const { code, signal } = ending
    const cause = ending.cause ?? new Error(`The process ended by ${signal ?? `exit code ${code}`}`)
    return new CardError(this.endedFor ?? fault(ending), { cause })
  }

  private hold(): void {
    for (const part of this.parts()) part.ref()
  }

  /** The host may end while nothing waits for it, and it ends then. */
  private letGo(): void {
    for (const part of this.parts()) part.unref()
  }

  private parts(): readonly { ref(): unknown; unref(): unknown }[] {
    const { child } = this
    return [child, ...[child.stdin, child.stdout].filter((stream) => stream instanceof Socket)]
  }
}

/** What a file did to the process that read it; whoever else ended it, it was not the file. */
function faultOf({ code, signal }: Ending): CardFault {
  if (signal === 'SIGXCPU') return 'timeout'
  return CRASHES.has(signal) || code === ABORTED ? 'tooLarge' : 'failed'
}
