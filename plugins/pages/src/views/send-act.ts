import { type Html, html } from '../html.js'
import { missingToSend } from '../missing.js'
import type { Thread } from '../thread.js'
import type { Visit } from '../visit.js'
import { act } from './acts.js'
import { missingWords } from './missing-right.js'

export interface SendAct {
  /** True where sending is the next step: the visitor has signed, and nobody else has been asked yet. */
  readonly isNext: boolean
  readonly shown: Html
}

/** The link that sends a document (`/d/…`) or a package (`/p/…`); without the right, what is missing in its place. */
export async function sendAct(visit: Visit, of: string, { you, awaited, steps }: Thread): Promise<SendAct> {
  const { send } = visit.texts.document
  const missing = await missingToSend(visit)
  if (missing !== undefined)
    return {
      isNext: false,
      shown: html`<div class="no-act"><p><strong>${send}</strong></p>${missingWords(visit, missing)}</div>`,
    }
  const isAsked = awaited.length > 0 || steps.some(({ kind }) => kind === 'sent')
  const isNext = you?.next === 'nothing' && you.signedAt !== undefined && !isAsked
  return { isNext, shown: act(`${of}/send`, send, isNext) }
}
