import { html } from '../html.js'
import { live, outcome } from '../views/controls.js'
import { signingWays } from '../views/signing.js'
import type { Page } from '../visit.js'

/** `/login?next=`: proves by a signature who somebody is. */
export const loginPage: Page = async (visit) => {
  const { login: text } = visit.texts
  return {
    title: text.title,
    scripts: ['login'],
    needs: 'signing',
    isPublic: true,
    body: html`<div class="narrow"><h1>${text.title}</h1><p class="lead">${text.lead}</p>
${live(
  visit,
  html`<form id="login" class="form"><fieldset class="card"><legend>${text.how}</legend>${signingWays(visit, 'login')}</fieldset>
<p class="note">${text.phoneNote}</p>
<p class="actions"><button class="strong" disabled>${text.submit}</button></p>${outcome('progress')}</form>`,
)}</div>`,
  }
}
