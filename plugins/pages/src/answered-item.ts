import { type Html, html, nothing } from './html.js'
import { missingToSend } from './missing.js'
import { unlessRefused } from './unless-refused.js'
import { isLate, objectOf } from './views/item-state.js'
import { missingPart } from './views/missing-right.js'
import type { Visit } from './visit.js'

/** The received item that a signature answers. */
export interface AnsweredItem {
  readonly incomingId: string
  /** Whether it can be accepted after the signature. */
  readonly willAccept: boolean
  /** What is said of it before the signature, if it can not. */
  readonly note: Html
}

/**
 * The item that `?incoming=` names, if it brought what is at this address: it is accepted by the signature, so that whether that can
 * be is known before. `anonymous` for visitors who have to log in for it.
 */
export async function itemAnswered(visit: Visit, address: string): Promise<AnsweredItem | 'anonymous' | undefined> {
  const incomingId = visit.query.get('incoming')
  if (incomingId === null || !/^[A-Za-z0-9]{1,64}$/.test(incomingId)) return undefined
  const { use, caller, texts } = visit
  if (caller.kind === 'anonymous') return 'anonymous'
  const item = await unlessRefused(use.getIncoming.execute(caller, { incomingId }))
  if (item === undefined || objectOf(item) !== address) return undefined
  const missing = await missingToSend(visit)
  if (missing !== undefined) return { incomingId, willAccept: false, note: missingPart(visit, missing) }
  const isOver = item.status !== 'new'
  const isTooLate = isLate(item, use.clock.now())
  if (!isOver && !isTooLate) return { incomingId, willAccept: true, note: nothing }
  const { signing: text } = texts
  const why = item.recalled ? text.recalled : isOver ? text.answered : text.late
  return {
    incomingId,
    willAccept: false,
    note: html`<section class="card warn"><p>${why} ${text.signatureOnly}</p><p><a href="/incoming/${incomingId}">${text.toItem}</a></p></section>`,
  }
}
