import { type Html, html, nothing } from '../html.js'
import { dropZone, live, outcome } from '../views/controls.js'
import { findForm } from '../views/find-form.js'
import type { Page } from '../visit.js'

/** `/`: what can be done here. A file that is dropped is checked at once. */
export const frontPage: Page = async (visit) => {
  const {
    texts: { front: text, check, nav },
    caller,
  } = visit
  const drop = live(
    visit,
    html`${dropZone({ id: 'file', text: check.drop, choose: check.choose, multiple: true })}${outcome('progress')}`,
  )
  return {
    title: text.title,
    isPublic: true,
    // /check takes the place of this page.
    needs: 'showing',
    scripts: ['front'],
    body: html`<section class="hero"><h1>${text.title}</h1><p class="lead">${text.lead}</p></section>
<div class="doors">
${door('/check', text.checkTitle, text.checkText, text.checkAction, 'quiet', drop)}
${door('/new', text.newTitle, text.newText, text.newAction, 'strong')}
${door('/documents', text.mineTitle, text.mineText, caller.kind === 'anonymous' ? nav.login : text.mineAction, 'quiet')}
</div>
<section class="card">${findForm(visit)}</section>
<section><h2>${text.how}</h2><ol class="steps">${text.steps.map(([title, about]) => html`<li><h3>${title}</h3><p>${about}</p></li>`)}</ol></section>`,
  }
}

const door = (href: string, title: string, about: string, action: string, look: string, more = nothing): Html =>
  html`<section class="card door"><h2>${title}</h2><p>${about}</p>${more}<a class="button ${look}" href="${href}">${action}</a></section>`
