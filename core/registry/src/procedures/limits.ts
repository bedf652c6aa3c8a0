import { limits } from '../kernel/limits.js'

const MINUTE = 60_000

/** Limits of signing procedures; `createRegistry` takes any of them in its options. */
export interface ProcedureLimits {
  /** Life of a raw procedure and of a login by phone, milliseconds. */
  readonly rawProcedureMs: number
  /** Life of a simplified procedure, milliseconds. */
  readonly procedureMs: number
  /** Bytes of a raw body, and of all originals of one procedure. */
  readonly procedureBytes: number
  /** Milliseconds that the app waits for documents which the caller has not brought. */
  readonly appWaitMs: number
  /** Milliseconds within which a lost answer of API 1 may be requested again. */
  readonly appAgainMs: number
  /** Lines about one document that the app shows (`meta`). */
  readonly metaLines: number
  /** Characters of the name of such a line. */
  readonly metaName: number
  /** Characters of its value. */
  readonly metaValue: number
  /** Milliseconds that the record of a simplified procedure is kept after its end. */
  readonly procedureRetentionMs: number
}
export const ProcedureLimits = limits<ProcedureLimits>('ProcedureLimits', {
  rawProcedureMs: 5 * MINUTE,
  procedureMs: 15 * MINUTE,
  procedureBytes: 100 * 2 ** 20,
  appWaitMs: MINUTE,
  appAgainMs: MINUTE,
  metaLines: 20,
  metaName: 100,
  metaValue: 500,
  procedureRetentionMs: 30 * 24 * 60 * MINUTE,
})
