/** Markup without unescaped input. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** Values of a template: text and numbers are escaped, `Html` is inserted unchanged, lists are joined. */
export type HtmlValue = string | number | Html | undefined | readonly HtmlValue[]

/** Template tag that escapes its values. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  // Nested templates are copied once, when all is written, as long as nothing joins them before.
  let text = parts[0] ?? ''
  for (let at = 0; at < values.length; at += 1) text += textOf(values[at]) + (parts[at + 1] ?? '')
  return new Html(text)
}

function textOf(value: HtmlValue): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value !== 'object') return escaped(String(value))
  let text = ''
  for (const one of value) text += textOf(one)
  return text
}
