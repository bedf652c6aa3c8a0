import type { ItemComment } from '@signed-registry/client'
import { time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Item } from '../items.js'
import type { Visit } from '../visit.js'
import { field, live, outcome } from './controls.js'
import { partyName } from './party.js'

/** What the sender wrote when sending: a comment as old as the item. */
export const sendersMessage = ({ comments: [first] = [], sender, sentAt }: Item): ItemComment | undefined =>
  first?.author === sender && first.value !== undefined && first.storedAt <= sentAt ? first : undefined

/** What both sides wrote, oldest first, and a field to write more to an address while the item is open. */
export function comments(visit: Visit, item: Item, address: string | undefined): Html {
  const { item: text, deal } = visit.texts
  const isIncoming = 'incomingId' in item
  const message = sendersMessage(item)
  const all: readonly ItemComment[] = (item.comments ?? []).filter((one) => one !== message)
  return html`<section class="card"><h2>${text.comments}</h2>${all.length === 0 ? html`<p>${text.noComments}</p>` : html`<ol class="said-list">${all.map((one) => comment(visit, item, one))}</ol>`}
${
  item.status === 'new' && address !== undefined
    ? live(
        visit,
        html`<form class="form" data-form="comment" data-of="${address}">${field({ name: 'comment', label: isIncoming ? deal.writeToSender : deal.writeToReceiver, rows: 2, maxlength: 1000 })}
<p class="actions"><button name="status" value="" disabled>${text.say}</button></p>${outcome('progress')}</form>`,
      )
    : nothing
}</section>`
}

function comment(visit: Visit, item: Item, { author, authorName, storedAt, status, value }: ItemComment): Html {
  const { deal } = visit.texts
  const said =
    status === undefined
      ? nothing
      : html`<strong>${deal.states[status === 'denied' ? 'denied' : item.signedAt === undefined ? 'accepted' : 'acceptedSigned']}</strong>, `
  return html`<li><p class="hint">${said}${partyName(visit, author, authorName)}, ${time(visit.language, storedAt)}</p>
${value === undefined ? nothing : html`<p class="comment"><bdi>${value}</bdi></p>`}</li>`
}
