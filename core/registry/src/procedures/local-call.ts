import type { HeldCall, HeldSide } from './held-calls.js'

/** A call whose connection leads to this host. */
export class LocalCall implements HeldCall {
  /** Version of the procedure that was last seen by looking around. */
  version: number | undefined
  private isWoken = false
  private isSuperseded = false
  private resolve: (() => void) | undefined

  constructor(
    readonly id: string,
    readonly procedureId: string,
    readonly side: HeldSide,
    private readonly onEnd: (call: LocalCall) => Promise<void>,
  ) {}

  async next(ms: number, signal?: AbortSignal): Promise<boolean> {
    signal?.throwIfAborted()
    if (!this.isWoken && !this.isSuperseded) await this.pause(ms, signal)
    signal?.throwIfAborted()
    this.isWoken = false
    return !this.isSuperseded
  }

  wake(): void {
    this.isWoken = true
    this.resolve?.()
  }

  supersede(): void {
    this.isSuperseded = true
    this.resolve?.()
  }

  end(): Promise<void> {
    return this.onEnd(this)
  }

  private pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        this.resolve = undefined
        resolve()
      }
      const timer = setTimeout(done, Math.max(0, ms))
      signal?.addEventListener('abort', done, { once: true })
      this.resolve = done
    })
  }
}
