import { type Html, html, nothing, raw } from '../html.js'
import type { Visit } from '../visit.js'

/** A text with a button that copies it. */
export const copyable = ({ texts }: Visit, text: string): Html =>
  html`<span class="copyable"><code>${text}</code><button type="button" class="small" data-live disabled data-copy="${text}">${texts.document.copy}</button></span>`

/**
 * Controls that need scripts, with a note for browsers without them. Input made before the scripts have loaded is kept. Buttons
 * are rendered disabled until their script has loaded, so that no click is lost.
 */
export const live = ({ texts }: Visit, body: Html): Html =>
  html`<div data-live>${body}</div><noscript><p class="note">${texts.needsScript}</p></noscript>`

/** A label and its value. */
export const fact = (term: string, value: Html | string): Html => html`<div><dt>${term}</dt><dd>${value}</dd></div>`

/** A list of labels and values. */
export const facts = (...all: readonly Html[]): Html => html`<dl class="facts">${all}</dl>`

/** An area to drop or choose files: a file input fills it, so that it works before scripts have loaded. */
export function dropZone(options: {
  id: string
  text: string
  choose: string
  multiple?: boolean
  hint?: string
}): Html {
  const { id, text, choose, multiple = false, hint } = options
  return html`<div class="drop" data-drop="${id}"><p class="drop-text">${text}</p>
<label class="button" for="${id}">${choose}</label><input type="file" id="${id}"${multiple ? raw(' multiple') : nothing}>
${hint === undefined ? nothing : html`<p class="hint">${hint}</p>`}</div>`
}

interface Field {
  readonly name: string
  /** The name unless given: forms of one page may have fields of the same name. */
  readonly id?: string
  readonly label: string
  readonly value?: string
  readonly hint?: string
  readonly type?: 'text' | 'email' | 'number' | 'search' | 'datetime-local'
  readonly rows?: number
  readonly maxlength?: number
  readonly inputmode?: 'numeric'
  /** The list that is offered. */
  readonly list?: string
}

/** A labelled field. */
export function field({
  name,
  id = name,
  label,
  value = '',
  hint,
  type = 'text',
  rows,
  maxlength,
  inputmode,
  list,
}: Field): Html {
  const described = hint === undefined ? nothing : html` aria-describedby="${id}-hint"`
  const longest = maxlength === undefined ? nothing : html` maxlength="${maxlength}"`
  // No number here may be negative.
  const least = type === 'number' ? raw(' min="0"') : nothing
  const mode = inputmode === undefined ? nothing : html` inputmode="${inputmode}"`
  const offered = list === undefined ? nothing : html` list="${list}" autocomplete="off"`
  return html`<div class="field"><label for="${id}">${label}</label>
${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}
${
  rows === undefined
    ? html`<input id="${id}" name="${name}" type="${type}" value="${value}"${described}${longest}${least}${mode}${offered} dir="auto">`
    : html`<textarea id="${id}" name="${name}" rows="${rows}"${described}${longest} dir="auto">${value}</textarea>`
}</div>`
}

/** A labelled checkbox. */
export const tick = (name: string, label: string, checked = false): Html =>
  html`<div class="tick"><input type="checkbox" id="${name}" name="${name}"${checked ? raw(' checked') : nothing}><label for="${name}">${label}</label></div>`

interface Choice {
  readonly name: string
  readonly value: string
  readonly label: string
  readonly hint: string
  readonly checked?: boolean
}

/** One of several choices, with what it means. */
export const choice = ({ name, value, label, hint, checked = false }: Choice): Html =>
  html`<div class="way"><input type="radio" name="${name}" id="${name}-${value}" value="${value}"${checked ? raw(' checked') : nothing} aria-describedby="${name}-${value}-hint">
<div><label for="${name}-${value}">${label}</label><p class="hint" id="${name}-${value}-hint">${hint}</p></div></div>`

/** JSON for a script of the page. */
export const data = (id: string, value: unknown): Html =>
  html`<script type="application/json" id="${id}">${raw(JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escapedForScript))}</script>`

const escapedForScript = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A live region in which a script shows the outcome, also to screen readers. */
export const outcome = (id: string): Html =>
  html`<div class="outcome" id="${id}" role="status" aria-live="polite"></div>`
