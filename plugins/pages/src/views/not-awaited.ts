import { type Html, html, nothing } from '../html.js'
import type { Visit } from '../visit.js'
import { awaitedName } from './where-it-stands.js'

/** Before the work: whose signature is awaited now, where it is not the visitor's; that of somebody else may be refused. */
export async function notAwaited(visit: Visit, id: string): Promise<Html> {
  const { use, caller, texts } = visit
  if (caller.kind === 'anonymous') return nothing
  const { awaited, you } = await use.getDocumentThread.execute(caller, { id })
  const inTurn = awaited.filter(({ next }) => next)
  if (inTurn.length === 0 || you?.next === 'sign') return nothing
  const names = inTurn.slice(0, 5).map((one) => html`<li>${awaitedName(visit, one)}</li>`)
  return html`<section class="card warn"><p>${texts.signing.awaitedNow}</p><ul>${names}</ul><p>${texts.signing.otherRefused}</p></section>`
}
