import { coreAreas } from './core-areas.js'
import { operationsOf, type RegisteredOperation } from './kernel/compose.js'
import type { Plugin } from './kernel/plugin.js'

/** What a registry offers its callers. */
export interface RegistryDescription {
  readonly operations: readonly RegisteredOperation[]
  /** The codes of all errors. */
  readonly codes: readonly string[]
}

/**
 * Describes a registry with these plugins without opening one. Throws a `TypeError` when two operations have one name or address, or
 * one refuses with a code that no catalogue has.
 */
export function describeRegistry(plugins: readonly Plugin[]): RegistryDescription {
  const parts = [...coreAreas, ...plugins]
  return {
    operations: operationsOf(parts),
    codes: parts.flatMap(({ errors = [] }) => errors.flatMap(({ texts }) => Object.keys(texts))),
  }
}
