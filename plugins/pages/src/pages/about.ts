import { type Html, html, nothing } from '../html.js'
import { contactLink, operatorText } from '../views/operator-text.js'
import type { Page } from '../visit.js'

/** `/help`: what is needed to sign, for who has no key, too. */
export const helpPage: Page = async (visit) => {
  const { help: text } = visit.texts.about
  const outside = (href: string, words: string): Html => html`<li><a href="${href}" rel="noopener">${words}</a></li>`
  return {
    title: text.title,
    isPublic: true,
    body: html`<h1>${text.title}</h1><p class="lead">${text.lead}</p>
${section(
  'key',
  text.key,
  html`<p>${text.keyText}</p>${list(text.keys)}
<ul>${outside('https://pki.gov.kz/', text.authority)}${outside('https://egov.kz/', text.egov)}${outside('https://ncl.pki.gov.kz/', text.ncalayer)}</ul>`,
)}
${section('ways', text.ways, list(text.waysAll))}
${section('failing', text.failing, list(text.failings))}
${section('look', text.look, list(text.looks))}
${operatorText(visit, 'help')}`,
  }
}

/** `/contact`: who runs this service, in their own words. */
export const contactPage: Page = async (visit) => {
  const { contact: text } = visit.texts.about
  const said = operatorText(visit, 'contact')
  const { security } = visit.operator
  return {
    title: text.title,
    isPublic: true,
    body: html`<h1>${text.title}</h1><p class="lead">${text.lead}</p>
<section class="card prose">${said === nothing ? html`<p>${text.none}</p>` : said}
${security.length === 0 ? nothing : html`<p>${text.security} ${security.map((uri, at) => [at === 0 ? '' : ', ', contactLink(uri)])}</p>`}</section>`,
  }
}

/** `/privacy`: what the software keeps, and what the operator adds. */
export const privacyPage: Page = async (visit) => {
  const { privacy: text } = visit.texts.about
  const said = operatorText(visit, 'privacy')
  return {
    title: text.title,
    isPublic: true,
    body: html`<h1>${text.title}</h1><p class="lead">${text.lead}</p>
${said === nothing ? nothing : section('operator', text.ofOperator, said)}
${section('software', text.ofSoftware, list(text.kept))}`,
  }
}

const section = (id: string, title: string, body: Html): Html =>
  html`<section class="card prose" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`

const list = (all: readonly (readonly [string, string])[]): Html =>
  html`<dl class="told">${all.map(([title, about]) => html`<dt>${title}</dt><dd>${about}</dd>`)}</dl>`
