/**
 * One requirement of a port. A contract is an array of them for one implementation; any test runner can check it:
 * `for (const { title, check } of archiveStoreContract(open)) it(title, check)`.
 */
export interface Clause {
  /** A sentence without a subject, as `it` takes it. */
  readonly title: string
  /** Rejects with an `AssertionError` if the requirement is not met. */
  check(): Promise<void>
}
