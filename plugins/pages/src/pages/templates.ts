import { time } from '../formats.js'
import { html } from '../html.js'
import { live, outcome } from '../views/controls.js'
import type { Page } from '../visit.js'

/** `/templates`: those of the visitor, or of the organization that they send for. */
export const templatesPage: Page = async (visit) => {
  const { use, caller, language, texts } = visit
  const { templates: text } = texts
  const { templates } = await use.listTemplates.execute(caller)
  return {
    title: text.title,
    scripts: ['forms'],
    unlisted: true,
    body: html`<div class="narrow"><h1>${text.title}</h1><p>${text.lead}</p>${outcome('progress')}
${
  templates.length === 0
    ? html`<p class="note">${text.none} <a href="/new">${texts.nav.new}</a></p>`
    : html`<ul class="rows card">${templates.map(
        ({ templateId, name, modifiedAt, documents = [] }) =>
          html`<li><div><a href="/new?template=${templateId}"><bdi>${name}</bdi></a><br><small>${time(language, modifiedAt)}${documents.length === 0 ? '' : html` · <bdi>${documents.join(', ')}</bdi>`}</small></div>
${live(visit, html`<form data-form="template-delete" data-of="${templateId}"><button class="small" disabled aria-label="${text.remove}: ${name}">${text.remove}</button>${outcome(`template-${templateId}`)}</form>`)}</li>`,
      )}</ul>`
}</div>`,
  }
}
