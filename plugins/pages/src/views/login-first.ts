import { type Html, html } from '../html.js'
import type { Visit } from '../visit.js'

/** Shown instead of a form that requires login: the reason, and a login link that returns here. */
export const loginFirst = ({ texts, url }: Visit, why: string): Html =>
  html`<section class="card"><p>${why}</p><p class="actions"><a class="button strong" href="/login?next=${encodeURIComponent(url)}">${texts.nav.login}</a></p></section>`
