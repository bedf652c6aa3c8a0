import type { DocumentResource } from '@signed-registry/client'
import { type Html, html, nothing } from '../html.js'
import type { Visit } from '../visit.js'

/** A link that downloads the evidence bundle at an address of the API, with or without scripts; `hint` describes it. */
export const evidenceLink = ({ texts }: Visit, address: string, hint: Html): Html =>
  html`<a class="button" href="${address}" data-evidence${hint === nothing ? nothing : html` aria-describedby="evidence-hint"`}>${texts.evidence.download}</a>`

/** Says that the bundle of a document has no original, and how a visitor who has it gets one with it. */
export const noOriginal = (visit: Visit, { signedDataSize }: DocumentResource): Html =>
  evidenceHint(
    html`${visit.texts.evidence.without}${signedDataSize > bundledBytes(visit) ? nothing : html`<span data-live> ${visit.texts.evidence.bring}</span>`}`,
  )

/** Says what the bundle does not have. */
export const evidenceHint = (text: Html | string): Html =>
  html`<p class="hint screen-only" id="evidence-hint">${text}</p>`

/** Bytes of an original that a visitor may send, to get a bundle with it. */
export const bundledBytes = ({ use }: Visit): number => use.evidenceLimits.evidenceBytes
