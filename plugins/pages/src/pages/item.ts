import { time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Item } from '../items.js'
import { missingToAnswer } from '../missing.js'
import { answering } from '../views/answering.js'
import { comments, sendersMessage } from '../views/comments.js'
import { fact, facts } from '../views/controls.js'
import { objectOf, stateChip, titleOf } from '../views/item-state.js'
import { missingPart } from '../views/missing-right.js'
import { partyName } from '../views/party.js'
import { senderActs } from '../views/sender-acts.js'
import { sentOriginals } from '../views/sent-originals.js'
import { newerVersion } from '../views/versions.js'
import type { Page, Shown, Visit } from '../visit.js'

/** `/incoming/:incomingId`: one received item, with what was sent and the answers to it. */
export const incomingItemPage: Page = async (visit) => {
  const incomingId = visit.params.incomingId ?? ''
  const item = await visit.use.getIncoming.execute(visit.caller, {
    incomingId,
    query: { includeDetails: true },
  })
  const { item: text, deal } = visit.texts
  return itemPage(visit, item, text.incoming, {
    asked:
      item.status === 'new'
        ? html`<p class="lead">${item.toSign ? deal.askedToSign : deal.askedToAccept}</p>`
        : nothing,
    act: item.status === 'new' ? answering(visit, item, incomingId) : nothing,
    address: `/incoming/${incomingId}`,
  })
}

/** `/outgoing/:outgoingId`: one sent item, with what became of it. */
export const outgoingItemPage: Page = async (visit) => {
  const outgoingId = visit.params.outgoingId ?? ''
  const item = await visit.use.getOutgoing.execute(visit.caller, { outgoingId, query: { includeDetails: true } })
  return itemPage(visit, item, visit.texts.item.outgoing, {
    asked: nothing,
    act: senderActs(visit, item, outgoingId),
    address: `/outgoing/${outgoingId}`,
  })
}

interface Side {
  readonly asked: Html
  /** Shown only to visitors with the right to act. */
  readonly act: Html
  readonly address: string
}

async function itemPage(visit: Visit, item: Item, kind: string, { asked, act, address }: Side): Promise<Shown> {
  const { item: text, deal } = visit.texts
  const title = titleOf(visit, item)
  const isIncoming = 'incomingId' in item
  const originals = await sentOriginals(visit, item)
  const missing = await missingToAnswer(visit)
  const isOpen = item.status === 'new' || item.status === 'sending'
  const message = sendersMessage(item)
  return {
    title: `${kind}: ${title}`,
    scripts: ['forms', 'item'],
    needs: 'showing',
    body: html`<div class="narrow"><p class="kicker">${kind}</p><h1><a class="plain" href="${objectOf(item)}"><bdi>${title}</bdi></a></h1>
<p class="chips" id="state">${stateChip(visit, item)}${item.toSign && item.status === 'new' ? html`<span class="chip">${deal.signChip}</span>` : nothing}</p>
${newerVersion(visit, item.document ?? {})}${asked}
<section class="card">${message === undefined ? nothing : html`<figure class="message"><blockquote class="comment"><bdi>${message.value}</bdi></blockquote><figcaption class="hint">${isIncoming ? deal.sendersWords : deal.yourWords}</figcaption></figure>`}
${facts(
  fact(text.from, partyName(visit, item.sender, item.senderName)),
  fact(text.to, partyName(visit, item.receiver, item.receiverName)),
  fact(deal.wanted, item.toSign ? deal.sign : deal.accept),
  ...moments(visit, item),
)}
${isFailedAlone(item) ? html`<p class="note">${text.failure}</p>` : nothing}
${item.recalled && isIncoming ? html`<p class="note">${deal.recalledText}</p>` : nothing}
<p class="hint">${visit.texts.timeZone}${isIncoming && item.status === 'new' ? html` ${deal.toldOpened}` : nothing}</p></section>
${isIncoming ? originals : nothing}
${missing === undefined ? act : isOpen ? missingPart(visit, missing) : nothing}
${comments(visit, item, missing === undefined ? address : undefined)}
${isIncoming ? nothing : originals}</div>`,
  }
}

const isFailedAlone = (item: Item): boolean => item.status === 'failed' && !item.recalled

function moments({ language, texts }: Visit, item: Item): Html[] {
  const { item: text, deal } = texts
  const moment = (name: string, at: number | undefined, otherwise?: string) =>
    at !== undefined ? [fact(name, time(language, at))] : otherwise === undefined ? [] : [fact(name, otherwise)]
  return [
    ...moment(text.sentAt, item.sentAt),
    ...moment(deal.deadline, item.deadline),
    ...('outgoingId' in item ? moment(deal.opened, item.openedAt, deal.notYet) : []),
    ...moment(deal.signedAt, item.signedAt, item.toSign ? deal.notYet : undefined),
    ...('outgoingId' in item && item.reminders > 0 ? [fact(deal.reminders, String(item.reminders))] : []),
  ]
}
