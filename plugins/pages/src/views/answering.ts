import { type Html, html, nothing } from '../html.js'
import type { Item } from '../items.js'
import type { Visit } from '../visit.js'
import { field, live, outcome } from './controls.js'
import { isLate, objectOf } from './item-state.js'

/** What the receiver can do with an item that waits for an answer: sign, accept, refuse, write. */
export function answering(visit: Visit, item: Item, incomingId: string): Html {
  const { deal: text } = visit.texts
  const late = isLate(item, visit.use.clock.now())
  return html`<section class="card act"><h2>${visit.texts.item.decide}</h2>
${late ? html`<p class="note">${text.deadlinePassed}</p>` : accepting(visit, item, incomingId)}
${live(
  visit,
  html`<details><summary>${visit.texts.item.deny}</summary><form class="form" data-form="comment" data-of="/incoming/${incomingId}">
${field({ name: 'comment', id: 'why', label: text.refuseWhy, hint: text.refuseHint, rows: 3, maxlength: 1000 })}
<p class="actions"><button name="status" value="denied" disabled>${visit.texts.item.deny}</button></p>${outcome('denied')}</form></details>`,
)}</section>`
}

function accepting(visit: Visit, item: Item, incomingId: string): Html {
  const { deal: text, item: words } = visit.texts
  const sign = `${objectOf(item)}/sign?incoming=${incomingId}`
  const accept = (label: string, hint: string, isMain: boolean, id: string) =>
    live(
      visit,
      html`<form class="form" data-form="comment" data-of="/incoming/${incomingId}"><p class="hint" id="${id}-hint">${hint}</p>
<p class="actions"><button${isMain ? html` class="strong"` : nothing} name="status" value="accepted" aria-describedby="${id}-hint" disabled>${label}</button></p>${outcome(id)}</form>`,
    )
  if (item.signedAt !== undefined) return accept(words.accept, text.acceptSignedHint, true, 'accepted')
  if (item.toSign !== true)
    return html`${accept(words.accept, text.acceptHint, true, 'accepted')}<p class="hint">${text.orSign} <a href="${sign}">${text.signAndAccept}</a></p>`
  return html`<p class="hint" id="sign-hint">${text.signAndAcceptHint}</p>
<p class="actions"><a class="button strong" href="${sign}" aria-describedby="sign-hint">${text.signAndAccept}</a></p>
<details><summary>${text.acceptWithout}</summary>${accept(text.acceptWithout, text.acceptWithoutHint, false, 'accepted')}</details>`
}
