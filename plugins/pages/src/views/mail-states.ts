import { unsubscribeWords } from '@signed-registry/core'
import { type Html, html, nothing } from '../html.js'
import type { Visit } from '../visit.js'
import { live, outcome } from './controls.js'

/** Addresses of an owner that get no mail, or not all of it: the reason, and a button to resume. */
export async function mailStates(visit: Visit, owner: string): Promise<Html> {
  const { settings: text } = visit.texts
  const { kinds } = unsubscribeWords[visit.language]
  const { addresses } = await visit.use.getMailAddresses.execute(visit.caller)
  const stopped = new Map(
    addresses
      .filter((one) => one.owner === owner && (one.bouncedAt !== undefined || one.refused.length > 0))
      .map((one) => [one.address, one]),
  )
  if (stopped.size === 0) return nothing
  return html`${[...stopped.values()].map(
    ({ address, bouncedAt, bounceReason, refused }, index) => html`<section class="card"><h2><bdi>${address}</bdi></h2>
${bouncedAt === undefined ? nothing : html`<p class="note">${text.mailBounced} <bdi>${bounceReason ?? ''}</bdi></p>`}
${refused.length === 0 ? nothing : html`<p class="note">${text.mailRefused}</p><ul>${refused.map((kind) => html`<li>${kinds[kind]}</li>`)}</ul>`}
${live(visit, html`<form data-form="mail-again" data-of="${address}"><p class="actions"><button disabled>${text.mailAgain}</button></p>${outcome(`mail-progress-${index}`)}</form>`)}</section>`,
  )}`
}
