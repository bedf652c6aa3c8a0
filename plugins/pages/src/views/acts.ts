import { type Html, html, nothing } from '../html.js'
import type { Visit } from '../visit.js'

/** What can be done: what is next for the visitor, and all else when it is asked for, with or without scripts. */
export function acts({ texts: { document: text } }: Visit, next: readonly Html[], others: readonly Html[]): Html {
  const more = others.filter((one) => one !== nothing)
  return html`<div class="actions" role="group" aria-label="${text.actions}">${next}${
    more.length === 0
      ? nothing
      : html`<details class="more-acts"><summary class="button">${text.moreActs}</summary><ul>${more.map((one) => html`<li>${one}</li>`)}</ul></details>`
  }</div>`
}

/** A link to do something; what is next for the visitor is strong. */
export const act = (href: string, label: string, isNext = false): Html =>
  html`<a class="button${isNext ? ' strong' : ''}" href="${href}">${label}</a>`
