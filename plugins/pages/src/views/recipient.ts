import { type Html, html } from '../html.js'
import type { Visit } from '../visit.js'
import { field } from './controls.js'

/** Fields for the recipient and a comment. */
export const recipient = ({ texts: { new: text } }: Visit): Html => html`<div class="row">
<div class="field"><label for="to-kind">${text.toKind}</label><select id="to-kind" name="toKind"><option value="IIN">${text.toPerson}</option><option value="BIN">${text.toOrganization}</option></select></div>
${field({ name: 'toNumber', label: text.toNumber, hint: text.toHint, inputmode: 'numeric', maxlength: 12 })}</div>
${field({ name: 'comment', label: text.comment, rows: 2, maxlength: 1000 })}`
