import { type Html, html } from '../html.js'
import type { Item } from '../items.js'
import type { Visit } from '../visit.js'

type State = keyof Visit['texts']['deal']['states']

/** Where an item stands, for either side; lists do not know who has signed. */
export function stateOf(item: Item): State {
  const { status, recalled, openedAt, signedAt } = item
  if (recalled) return 'recalled'
  if (status === 'accepted') return signedAt === undefined ? 'accepted' : 'acceptedSigned'
  if (status === 'new') {
    if (signedAt !== undefined) return 'signed'
    if ('incomingId' in item) return 'waitsForYou'
    return openedAt === undefined ? 'unopened' : 'opened'
  }
  return status
}

const LOOKS: Partial<Record<State, string>> = {
  accepted: ' good',
  acceptedSigned: ' good',
  denied: ' bad',
  recalled: ' bad',
  failed: ' bad',
  waitsForYou: ' warn',
  unopened: ' warn',
  opened: ' warn',
  signed: ' warn',
}

/** The state of a single item. */
export const stateChip = ({ texts }: Visit, item: Item): Html => {
  const state = stateOf(item)
  return html`<span class="chip${LOOKS[state] ?? ''}">${texts.deal.states[state]}</span>`
}

/** The state of an item in a list, which does not say whether the receiver has signed. */
export const listedState = (visit: Visit, item: Item): Html => {
  if (item.status !== 'accepted' || item.recalled) return stateChip(visit, item)
  return html`<span class="chip good">${visit.texts.lists.statuses.accepted}</span>`
}

/** Whether the time to accept an item is over. */
export const isLate = ({ deadline }: Item, now: number): boolean => deadline !== undefined && deadline <= now

/** The title of what was sent. */
export const titleOf = ({ texts }: Visit, item: Item): string =>
  item.packageId === undefined
    ? item.document?.title || texts.document.untitled
    : item.package?.title || texts.package.untitled

/** The page of what was sent. */
export const objectOf = ({ packageId, documentId }: Item): string =>
  packageId === undefined ? `/d/${documentId}` : `/p/${packageId}`
