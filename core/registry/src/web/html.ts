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
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(parts.map((part, at) => part + textOf(values[at])).join(''))

function textOf(value: HtmlValue): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  return typeof value === 'object' ? value.map(textOf).join('') : escaped(String(value))
}
