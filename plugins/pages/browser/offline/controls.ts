import { make } from '../dom.js'

/** An area to drop or choose files, as the pages of the registry have it. */
export function dropZone(id: string, text: string, choose: string, hint?: string): HTMLElement {
  const input = make('input', { type: 'file', id, multiple: '' })
  const label = make('label', { class: 'button', for: id }, choose)
  const more = hint === undefined ? undefined : make('p', { class: 'hint' }, hint)
  return make('div', { class: 'drop' }, make('p', { class: 'drop-text' }, text), label, input, more)
}

/** A labelled line of text. */
export function textField(id: string, label: string, hint: string): { field: HTMLElement; input: HTMLInputElement } {
  const input = document.createElement('input')
  for (const [name, value] of Object.entries({
    id,
    type: 'text',
    'aria-describedby': `${id}-hint`,
    spellcheck: 'false',
  }))
    input.setAttribute(name, value)
  const about = make('p', { class: 'hint', id: `${id}-hint` }, hint)
  return { field: make('div', { class: 'field' }, make('label', { for: id }, label), about, input), input }
}

const NAMES = { kk: 'Қазақша', ru: 'Русский', en: 'English' } as const

/** Links to the other languages. */
export function languageLinks(label: string): HTMLElement {
  const links = Object.entries(NAMES).map(([lang, name]) =>
    lang === document.documentElement.lang
      ? make('span', { lang, 'aria-current': 'true' }, name)
      : make('a', { lang, hreflang: lang, href: `#lang=${lang}` }, name),
  )
  return make('nav', { class: 'choices', 'aria-label': label }, ...links)
}
