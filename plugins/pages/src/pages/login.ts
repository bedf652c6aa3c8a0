import { html, nothing } from '../html.js'
import { live, outcome } from '../views/controls.js'
import { signingWays } from '../views/signing.js'
import type { Page } from '../visit.js'

/** `/login?next=`: logs in by a signature; redirects visitors who are logged in already. */
export const loginPage: Page = async (visit) => {
  const next = localPath(visit.query.get('next'))
  if (next !== undefined && (visit.caller.kind === 'person' || visit.caller.kind === 'employee'))
    return { location: next }
  const { login: text } = visit.texts
  return {
    title: text.title,
    scripts: ['login'],
    needs: 'signing',
    isPublic: true,
    body: html`<div class="narrow"><h1>${text.title}</h1><p class="lead">${text.lead}</p>${next?.startsWith('/incoming/') ? html`<p class="note">${text.toItem}</p>` : nothing}
${live(
  visit,
  html`<form id="login" class="form"><fieldset class="card"><legend>${text.how}</legend>${signingWays(visit, 'login')}</fieldset>
<p class="note">${text.phoneNote}</p>
<p class="actions"><button class="strong" disabled>${text.submit}</button></p>${outcome('progress')}</form><p><a href="/help">${text.noKey}</a></p>`,
)}</div>`,
  }
}

/** Path and query of a URL of this site; `undefined` for any other site. */
function localPath(address: string | null): string | undefined {
  const here = 'http://here.invalid'
  if (address === null || !URL.canParse(address, here)) return undefined
  const { origin, pathname, search } = new URL(address, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search : undefined
}
