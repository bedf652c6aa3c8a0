import { type Html, html } from '../html.js'
import type { Visit } from '../visit.js'

/** In place of a form that nobody may post who is not known: why, and a way to log in that leads back here. */
export const loginFirst = ({ texts, url }: Visit, why: string): Html =>
  html`<section class="card"><p>${why}</p><p class="actions"><a class="button strong" href="/login?next=${encodeURIComponent(url)}">${texts.nav.login}</a></p></section>`
