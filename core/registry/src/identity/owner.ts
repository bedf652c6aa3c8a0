import type { Caller } from './caller.js'

/** Whom something counts for: `at` and a network address, an IIN, an IIN and the BIN it acts for, or the BIN of systems. */
export type Owner = string

/** How much is known of an owner. */
export type OwnerKind = 'stranger' | 'person' | 'system'

/** Whom what a caller takes counts for: nobody knows more of a stranger than the address. */
export function ownerOf(caller: Caller): Owner {
  if (caller.kind === 'anonymous') return `at ${caller.address ?? ''}`
  if (caller.kind === 'system') return caller.bin
  return caller.kind === 'employee' ? `${caller.iin} ${caller.bin}` : caller.iin
}

export function kindOfOwner(owner: Owner): OwnerKind {
  if (owner.startsWith('at ')) return 'stranger'
  return owner.startsWith('BIN') ? 'system' : 'person'
}
