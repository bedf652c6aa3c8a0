import { type Html, html, nothing, raw } from '../html.js'
import type { Visit } from '../visit.js'

/** A text with a button that copies it. */
export const copyable = ({ texts }: Visit, text: string): Html =>
  html`<span class="copyable"><code>${text}</code><button type="button" class="small" data-live disabled data-copy="${text}">${texts.document.copy}</button></span>`

/**
 * What works by scripts only; a browser that runs none says so. People may choose and write at once: scripts look at what is there when they
 * start. Its buttons are written disabled: the script that listens to one enables it, so that nothing is pressed in vain.
 */
export const live = ({ texts }: Visit, body: Html): Html =>
  html`<div data-live>${body}</div><noscript><p class="note">${texts.needsScript}</p></noscript>`

/** One fact: what it is, and what it is like. */
export const fact = (term: string, value: Html | string): Html => html`<div><dt>${term}</dt><dd>${value}</dd></div>`

/** Facts, in order. */
export const facts = (...all: readonly Html[]): Html => html`<dl class="facts">${all}</dl>`

/** A place to drop files on, or to choose them: all of it is the input, which takes a file before any script runs. */
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
  readonly label: string
  readonly value?: string
  readonly hint?: string
  readonly type?: 'text' | 'email' | 'number' | 'search'
  readonly rows?: number
  readonly maxlength?: number
  readonly inputmode?: 'numeric'
}

/** A field with its label. */
export function field({ name, label, value = '', hint, type = 'text', rows, maxlength, inputmode }: Field): Html {
  const described = hint === undefined ? nothing : html` aria-describedby="${name}-hint"`
  const longest = maxlength === undefined ? nothing : html` maxlength="${maxlength}"`
  // Nothing is counted below zero.
  const least = type === 'number' ? raw(' min="0"') : nothing
  const mode = inputmode === undefined ? nothing : html` inputmode="${inputmode}"`
  return html`<div class="field"><label for="${name}">${label}</label>
${hint === undefined ? nothing : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${
  rows === undefined
    ? html`<input id="${name}" name="${name}" type="${type}" value="${value}"${described}${longest}${least}${mode} dir="auto">`
    : html`<textarea id="${name}" name="${name}" rows="${rows}"${described}${longest} dir="auto">${value}</textarea>`
}</div>`
}

/** A box to tick. */
export const tick = (name: string, label: string, checked = false): Html =>
  html`<div class="tick"><input type="checkbox" id="${name}" name="${name}"${checked ? raw(' checked') : nothing}><label for="${name}">${label}</label></div>`

/** Data that a script of the page reads; no script itself. */
export const data = (id: string, value: unknown): Html =>
  html`<script type="application/json" id="${id}">${raw(JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escapedForScript))}</script>`

const escapedForScript = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Where a script says how it went, for eyes and for screen readers. */
export const outcome = (id: string): Html =>
  html`<div class="outcome" id="${id}" role="status" aria-live="polite"></div>`
