/** The connection over which somebody begins a procedure. */
export interface Origin {
  readonly isMutualTls: boolean
}

/** A call from inside the process. */
export const inProcess: Origin = { isMutualTls: false }

/** A connection that is held until something happens. */
export interface HeldConnection {
  /** Aborted when nobody is there any more to be answered. */
  readonly signal: AbortSignal
  /** Called when the body begins to be read. */
  reading(): void
}

/** A call from inside the process, which nobody breaks off. */
export const unbroken: HeldConnection = { signal: new AbortController().signal, reading: () => undefined }
