/**
 * One promise of a port. A contract is an array of them, made for one implementation; any test runner can hold it:
 * `for (const { title, check } of archiveStoreContract(open)) it(title, check)`.
 */
export interface Clause {
  /** A sentence without a subject, as `it` takes it. */
  readonly title: string
  /** Rejects with an `AssertionError` where the promise is broken. */
  check(): Promise<void>
}
