import { html } from '../html.js'
import { dropZone, live, outcome } from '../views/controls.js'
import type { Page } from '../visit.js'

/** `/check`: what is this file, and is it registered? */
export const checkPage: Page = async (visit) => {
  const { check: text } = visit.texts
  return {
    title: text.title,
    isPublic: true,
    scripts: ['check'],
    needs: 'showing',
    body: html`<h1>${text.title}</h1><p class="lead">${text.lead}</p>
${live(
  visit,
  html`${dropZone({ id: 'file', text: text.drop, choose: text.choose, hint: text.privacy, multiple: true })}${outcome('verdict')}
<div id="original-place" hidden>${dropZone({ id: 'original', text: text.original, choose: text.choose, hint: text.originalHint })}</div>`,
)}
<section class="screen-only"><h2>${text.what}</h2><ul class="steps">${text.whats.map(([title, about]) => html`<li><h3>${title}</h3><p>${about}</p></li>`)}</ul></section>
<section class="screen-only"><h2>${text.offline}</h2><p>${text.offlineText}</p>
<p><a class="button quiet" href="/check-offline.html" download>${text.offlineSave}</a></p><p class="hint"><a href="/check-offline.html.sha256" download>SHA-256</a></p></section>`,
  }
}
