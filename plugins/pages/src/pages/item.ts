import type { IncomingItem, OutgoingItem } from '@signed-registry/client'
import { time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import { fact, facts, field, live, outcome } from '../views/controls.js'
import type { Page, Shown, Visit } from '../visit.js'
import { partyName, statusChip } from './lists.js'

/** `/incoming/:incomingId`: one received item, with a form to answer it. */
export const incomingItemPage: Page = async (visit) => {
  const incomingId = visit.params.incomingId ?? ''
  const item = await visit.use.getIncoming.execute(visit.caller, { incomingId, query: { includeDetails: true } })
  return itemPage(visit, item, visit.texts.item.incoming, `/incoming/${incomingId}`)
}

/** `/outgoing/:outgoingId`: one sent item. */
export const outgoingItemPage: Page = async (visit) => {
  const outgoingId = visit.params.outgoingId ?? ''
  const item = await visit.use.getOutgoing.execute(visit.caller, { outgoingId, query: { includeDetails: true } })
  return itemPage(visit, item, visit.texts.item.outgoing, `/outgoing/${outgoingId}`)
}

function itemPage(visit: Visit, item: IncomingItem | OutgoingItem, kind: string, address: string): Shown {
  const { texts, language } = visit
  const { item: text } = texts
  const isPackage = item.packageId !== undefined
  const title = isPackage
    ? item.package?.title || texts.package.untitled
    : item.document?.title || texts.document.untitled
  const href = isPackage ? `/p/${item.packageId}` : `/d/${item.documentId}`
  const isFailed = 'failure' in item && item.failure !== undefined
  return {
    title: `${kind}: ${title}`,
    scripts: ['forms'],
    body: html`<div class="narrow"><p class="kicker">${kind}</p><h1><bdi>${title}</bdi></h1>
<p class="chips">${statusChip(visit, item.status)}</p>
<section class="card">${facts(
      fact(isPackage ? text.package : text.document, html`<a href="${href}"><bdi>${title}</bdi></a>`),
      fact(text.from, partyName(visit, item.sender)),
      fact(text.to, partyName(visit, item.receiver)),
      fact(text.sentAt, time(language, item.sentAt)),
    )}${isFailed ? html`<p class="note">${text.failure}</p>` : nothing}
${address.startsWith('/incoming/') ? html`<p class="actions"><a class="button" href="${href}/sign">${isPackage ? texts.package.sign : texts.document.sign}</a></p>` : nothing}</section>
<section class="card"><h2>${text.comments}</h2>${comments(visit, item)}</section>
${item.status === 'new' ? answering(visit, address) : item.status === 'sending' ? nothing : html`<p class="note">${text.closed}</p>`}</div>`,
  }
}

function comments(visit: Visit, { comments = [] }: IncomingItem | OutgoingItem): Html {
  const { item: text } = visit.texts
  if (comments.length === 0) return html`<p>${text.noComments}</p>`
  return html`<ol class="rows">${comments.map(
    ({ author, storedAt, status, value }) =>
      html`<li><div><p class="hint">${partyName(visit, author)}${status === undefined ? nothing : html`, <strong>${status === 'accepted' ? text.accepted : text.denied}</strong>`}, ${time(visit.language, storedAt)}</p>
${value === undefined ? nothing : html`<p class="comment"><bdi>${value}</bdi></p>`}</div></li>`,
  )}</ol>`
}

function answering(visit: Visit, address: string): Html {
  const { item: text } = visit.texts
  const mayDecide = address.startsWith('/incoming/')
  return live(
    visit,
    html`<form class="form card" data-form="comment" data-of="${address}"><h2>${mayDecide ? text.decide : text.comment}</h2>
${field({ name: 'comment', label: text.comment, rows: 3, maxlength: 1000 })}
<p class="actions">${mayDecide ? html`<button class="strong" name="status" value="accepted" disabled>${text.accept}</button><button name="status" value="denied" disabled>${text.deny}</button>` : nothing}<button name="status" value="" disabled>${text.say}</button></p>${outcome('progress')}</form>`,
  )
}
