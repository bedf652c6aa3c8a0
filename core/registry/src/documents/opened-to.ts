import type { AccessRule } from '../identity/index.js'

const party = (iin: string, bin: string | undefined): string => (bin === undefined ? iin : `${iin}/${bin}`)

/** Whom a rule names: a person, or somebody in an organization. */
export const openedToNamed = (iin: string, bin?: string): string => `named ${party(iin, bin)}`
/** An organization that a rule names, whomever of it. */
export const openedToOrganization = (bin: string): string => `named ${bin}`
/** A person or an organization that got it, or its package. */
export const openedToReceiver = (receiver: string): string => `received ${receiver}`
/** Who registered its package, in their own name or as an employee. */
export const openedToPackageRegistrator = (iin: string, bin?: string): string => `registered ${party(iin, bin)}`

/** Everybody whom access rules name. A rule for one employee opens to colleagues too, as far as their organization lets them. */
export function openedToRules(rules: readonly AccessRule[] = []): Set<string> {
  const openedTo = new Set<string>()
  for (const { iin, bin } of rules) {
    if (iin !== undefined) openedTo.add(openedToNamed(iin, bin))
    if (bin !== undefined) openedTo.add(openedToOrganization(bin))
  }
  return openedTo
}
