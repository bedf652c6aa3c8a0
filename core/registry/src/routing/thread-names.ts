import { hasActed } from './item-names.js'
import type { ThreadItem } from './thread-items.js'
import type { ThreadStep } from './thread-schema.js'
import type { Signatory, ThreadViewer } from './thread-viewer.js'

/** What a thread tells of parties: organizations to every party of it, people by the rule of `namedPeople`. */
export class ThreadNames {
  constructor(
    private readonly known: ReadonlyMap<string, string>,
    /** People who may be named. */
    private readonly people: ReadonlySet<string>,
    private readonly signers: readonly Signatory[],
  ) {}

  /** What is called; `undefined` where the viewer may not know. */
  of(party: string): string | undefined {
    return isOrganization(party) || this.people.has(party) ? this.known.get(party) : undefined
  }

  /** Who made a step of an item. */
  from(party: string, side: ThreadItem['side']): Pick<ThreadStep, 'party' | 'name'> {
    if (!this.mayTell(party, side)) return {}
    const name = this.of(party)
    return { party, ...(name !== undefined && { name }) }
  }

  /** Whom an item was sent to. */
  to(party: string, side: ThreadItem['side']): Pick<ThreadStep, 'to' | 'toName'> {
    if (!this.mayTell(party, side)) return {}
    const toName = this.of(party)
    return { to: party, ...(toName !== undefined && { toName }) }
  }

  /** Receivers of one thing are not told who the others are, as far as these are people. */
  private mayTell(party: string, side: ThreadItem['side']): boolean {
    return side !== undefined || isOrganization(party) || this.signers.some(({ userId }) => userId === party)
  }
}

export const isOrganization = (party: string): boolean => party.startsWith('BIN')

/**
 * People whose names the viewer may see: signers (their certificates are visible with the document), senders of items to the
 * viewer, and receivers of the viewer's items once they have acted: otherwise sending would be a way to look up names.
 */
export function namedPeople(
  { party, signer }: ThreadViewer,
  items: readonly ThreadItem[],
  signers: readonly Signatory[],
): ReadonlySet<string> {
  const named = new Set(signers.map(({ userId }) => userId))
  if (signer) named.add(signer.userId)
  if (party !== undefined) named.add(party)
  for (const { item, side, comments } of items) {
    if (side === 'receiver') named.add(item.sender)
    if (side === 'sender' && hasActed(item, comments)) named.add(item.receiver)
  }
  return named
}
