import { type Html, html } from '../html.js'
import type { Page } from '../visit.js'

/** `/`: what can be done here. */
export const frontPage: Page = async ({ texts: { front: text, nav }, caller }) => ({
  title: text.title,
  isPublic: true,
  body: html`<section class="hero"><h1>${text.title}</h1><p class="lead">${text.lead}</p></section>
<div class="doors">
${door('/check', text.checkTitle, text.checkText, text.checkAction, 'strong')}
${door('/new', text.newTitle, text.newText, text.newAction, 'strong')}
${door('/documents', text.mineTitle, text.mineText, caller.kind === 'anonymous' ? nav.login : text.mineAction, 'quiet')}
</div>
<form class="find card" action="/find" method="get" role="search">
<label for="id">${text.findTitle}</label>
<div class="row"><input id="id" name="id" type="text" placeholder="${text.findLabel}" autocomplete="off" spellcheck="false" required><button>${text.findAction}</button></div></form>
<section><h2>${text.how}</h2><ol class="steps">${text.steps.map(([title, about]) => html`<li><h3>${title}</h3><p>${about}</p></li>`)}</ol></section>`,
})

const door = (href: string, title: string, about: string, action: string, look: string): Html =>
  html`<section class="card door"><h2>${title}</h2><p>${about}</p><a class="button ${look}" href="${href}">${action}</a></section>`
