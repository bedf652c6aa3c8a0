import type { Clause } from '@signed-registry/core/contracts'

/** Tests an implementation against the contract of its port: one test for each clause. */
export function hold(contract: readonly Clause[]): void {
  for (const { title, check } of contract) it(title, check)
}
