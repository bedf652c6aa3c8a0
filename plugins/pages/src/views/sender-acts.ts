import type { OutgoingItem } from '@signed-registry/client'
import { time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Visit } from '../visit.js'
import { field, live, outcome } from './controls.js'
import { isLate, objectOf } from './item-state.js'
import { newVersionLink } from './versions.js'

/** What the sender can do with an item: remind, recall, send a new version. */
export function senderActs(visit: Visit, item: OutgoingItem, outgoingId: string): Html {
  const { deal: text } = visit.texts
  const isOpen = item.status === 'new' || item.status === 'sending'
  const of = `/outgoing/${outgoingId}`
  return html`<section class="card act"><h2>${visit.texts.document.actions}</h2>
${isOpen && isLate(item, visit.use.clock.now()) ? html`<p class="note">${text.deadlinePassedSender}</p>` : nothing}
${isOpen && item.status === 'new' ? reminding(visit, item, of) : nothing}
${
  isOpen
    ? live(
        visit,
        html`<details><summary>${text.recall}</summary><form class="form" data-form="recall" data-of="${of}"><p class="hint">${text.recallHint}</p>
${field({ name: 'comment', id: 'why', label: text.recallWhy, rows: 3, maxlength: 1000 })}
<p class="actions"><button disabled>${text.recall}</button></p>${outcome('recalled')}</form></details>`,
      )
    : nothing
}
<p class="actions">${item.recalled ? html`<a class="button" href="${objectOf(item)}/send">${text.sendAgain}</a>` : nothing}${item.documentId === undefined || item.document === undefined ? nothing : newVersionLink(visit, item.documentId, item.document)}</p></section>`
}

function reminding(visit: Visit, { reminders, remindersLeft, sentAt }: OutgoingItem, of: string): Html {
  const { deal: text } = visit.texts
  if (remindersLeft === 0) return html`<p class="hint">${text.remindersUsed}</p>`
  const from = sentAt + visit.use.routingLimits.reminderMs
  if (reminders === 0 && from > visit.use.clock.now())
    return html`<p class="hint">${text.remindFrom} ${time(visit.language, from)}</p>`
  return live(
    visit,
    html`<form class="form" data-form="remind" data-of="${of}"><p class="hint" id="remind-hint">${text.remindHint(remindersLeft)}</p>
<p class="actions"><button class="strong" aria-describedby="remind-hint" disabled>${text.remind}</button></p>${outcome('reminded')}</form>`,
  )
}
