import type { Clause } from '@signed-registry/core/contracts'

/** Holds an implementation to the contract of its port: a test for each clause. */
export function hold(contract: readonly Clause[]): void {
  for (const { title, check } of contract) it(title, check)
}
