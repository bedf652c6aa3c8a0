import { type Html, html } from '../html.js'
import type { Visit } from '../visit.js'
import { field, outcome } from './controls.js'

/** Uses a template in `/new`, or keeps what is written there as one; for `browser/templates.ts`. */
export const templates = ({ texts: { templates: text } }: Visit): Html =>
  html`<details class="card" id="templates"><summary>${text.title}</summary>
<div class="field"><label for="template">${text.choose}</label><select id="template"></select></div>
<p class="actions"><button type="button" id="template-use" disabled>${text.use}</button><a href="/templates">${text.all}</a></p>
${field({ name: 'template-name', label: text.name, hint: text.hint, maxlength: 64 })}
<p class="actions"><button type="button" id="template-save" disabled>${text.save}</button></p>${outcome('template-outcome')}</details>`
