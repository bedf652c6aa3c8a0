import { type Html, html } from '../html.js'
import type { Visit } from '../visit.js'
import { choice, field } from './controls.js'

/** Fields for the recipient, what is wanted of them, until when, and a message. */
export const recipient = ({ texts: { new: text, sending } }: Visit): Html => html`<div class="row">
<div class="field"><label for="to-kind">${text.toKind}</label><select id="to-kind" name="toKind"><option value="IIN">${text.toPerson}</option><option value="BIN">${text.toOrganization}</option></select></div>
${field({ name: 'toNumber', label: text.toNumber, hint: text.toHint, inputmode: 'numeric', maxlength: 24, list: 'recipients' })}</div>
<fieldset class="inner"><legend>${sending.wanted}</legend>
${choice({ name: 'wanted', value: 'sign', label: sending.sign, hint: sending.signHint, checked: true })}
${choice({ name: 'wanted', value: 'accept', label: sending.accept, hint: sending.acceptHint })}</fieldset>
${field({ name: 'comment', label: text.comment, rows: 2, maxlength: 1000 })}
${field({ name: 'deadline', label: sending.deadline, hint: sending.deadlineHint, type: 'datetime-local' })}`
