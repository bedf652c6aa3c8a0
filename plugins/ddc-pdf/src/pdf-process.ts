import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { CardError, type CardFault } from '@signed-registry/core'
import type { Job, JobAnswer, WorkerMessage } from './job.js'
import { isWorkerMessage } from './job.js'
import { kernelLimits, limitedNode } from './kernel-limits.js'
import { encodeMessage, MAX_TEXT_BYTES, MessageReader } from './messages.js'

/** Limits of one job. */
export interface JobLimits {
  /** Milliseconds of wall-clock time. */
  readonly timeoutMs: number
  /** CPU seconds. */
  readonly processorSeconds: number
  /** Mebibytes of memory of the process. */
  readonly memoryMb: number
}

const MODULE = fileURLToPath(new URL('./worker.js', import.meta.url))
/** A process is replaced once it has used this share of its limits, so that the limits of a job are left for the next one. */
const SPENT = 0.5
/** Signals by which a process dies when it runs out of memory. */
const CRASHES: ReadonlySet<unknown> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS'])
/** Node's exit code when it runs out of memory, on platforms without signals. */
const ABORTED = 134

/** How a process ended. */
interface Ending {
  readonly code: unknown
  readonly signal: unknown
  readonly cause?: unknown
}

/**
 * A process that runs one job after another, and is killed by the kernel or by the host when a job exceeds its limits. It
 * inherits neither the environment nor descriptors nor the working directory of the host.
 */
export class PdfProcess {
  /** Resolves when the process has exited or could not be started. */
  readonly ended: Promise<Ending>
  private readonly child: ChildProcessByStdio<Writable, Readable, null>
  private readonly messages: MessageReader<WorkerMessage>
  private readonly ready: Promise<boolean>
  private endedFor: CardFault | undefined

  constructor(private readonly limits: JobLimits) {
    const { memoryMb, processorSeconds } = limits
    const processLimits = { memoryMb, processorSeconds: Math.ceil(processorSeconds * (1 + SPENT)) }
    const spentLimits = [processorSeconds * SPENT * 1000, memoryMb * SPENT * 2 ** 20].map(String)
    const { command, args } = limitedNode(processLimits, MODULE, spentLimits)
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
    // EPIPE: the exit of the process says more.
    this.child.stdin.on('error', () => undefined)
    this.messages = new MessageReader(
      this.child.stdout,
      { octets: memoryMb * 2 ** 20, text: MAX_TEXT_BYTES },
      isWorkerMessage,
    )
    this.ready = this.nextMessage().then((said) => said === 'ready')
    this.unref()
  }

  /** Runs a job. After a rejection, which is a `CardError`, the process has exited. */
  async ask(job: Job): Promise<JobAnswer> {
    this.ref()
    const late = setTimeout(() => this.end(kernelLimits ? 'busy' : 'timeout'), this.limits.timeoutMs)
    try {
      if (!(await this.ready)) throw await this.failure(() => 'failed')
      for (const piece of encodeMessage(job)) this.child.stdin.write(piece)
      const said = await this.nextMessage()
      if (said === undefined || said === 'ready') throw await this.failure(faultOf)
      return said
    } finally {
      clearTimeout(late)
      this.unref()
    }
  }

  /** Kills the process; a running job fails with this fault. */
  end(why: CardFault = 'unavailable'): void {
    this.endedFor ??= why
    this.child.kill('SIGKILL')
    // Keeps the event loop alive for whoever awaits `ended`.
    this.child.ref()
  }

  private nextMessage(): Promise<WorkerMessage | undefined> {
    return this.messages.next().catch(() => undefined)
  }

  private async failure(fault: (ending: Ending) => CardFault): Promise<CardError> {
    // A process that sent an invalid message is still alive; for one that has exited this does nothing.
    this.child.kill('SIGKILL')
    const ending = await this.ended
    const { code, signal } = ending
    const cause = ending.cause ?? new Error(`The process ended by ${signal ?? `exit code ${code}`}`)
    return new CardError(this.endedFor ?? fault(ending), { cause })
  }

  private ref(): void {
    for (const part of this.parts()) part.ref()
  }

  /** An idle process does not keep the host alive; it exits with the host. */
  private unref(): void {
    for (const part of this.parts()) part.unref()
  }

  private parts(): readonly { ref(): unknown; unref(): unknown }[] {
    const { child } = this
    return [child, ...[child.stdin, child.stdout].filter((stream) => stream instanceof Socket)]
  }
}

/** The fault of the file by the way the process died; killed in any other way, the file is not at fault. */
function faultOf({ code, signal }: Ending): CardFault {
  if (signal === 'SIGXCPU') return 'timeout'
  return CRASHES.has(signal) || code === ABORTED ? 'tooLarge' : 'failed'
}
