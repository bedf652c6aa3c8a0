import type { Caller } from '../identity/index.js'

/** The connection over which somebody begins a procedure. */
export interface Origin {
  /** Network of an anonymous caller, of whom there may be many. */
  readonly address: string
  readonly isMutualTls: boolean
}

/** A call from inside the process. */
export const inProcess: Origin = { address: '', isMutualTls: false }

/** Who a procedure counts for. */
export function begunBy(caller: Caller, { address }: Origin): string {
  if (caller.kind === 'anonymous') return `at ${address}`
  if (caller.kind === 'system') return caller.bin
  return caller.kind === 'employee' ? `${caller.iin} ${caller.bin}` : caller.iin
}

/** A connection that is held until something happens. */
export interface HeldConnection {
  /** Aborted when nobody is there any more to be answered. */
  readonly signal: AbortSignal
  /** Called when the body begins to be read. */
  reading(): void
}

/** A call from inside the process, which nobody breaks off. */
export const unbroken: HeldConnection = { signal: new AbortController().signal, reading: () => undefined }
