import { type Html, html, nothing } from '../html.js'
import type { Topic } from '../operator-texts.js'
import type { Visit } from '../visit.js'

/** What becomes a link: web, mail and telephone addresses, without a full stop after them. */
const ADDRESS = /(https:\/\/[^\s<>"]*[^\s<>".,;:)]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+\d[\d ()-]{8,}\d)/

/** What the operator says about something; empty if nothing. */
export function operatorText({ operator, language }: Visit, topic: Topic): Html {
  const text = operator.texts.about(topic, language)
  if (text === undefined) return nothing
  const paragraphs = text.paragraphs.map(
    (lines) => html`<p>${lines.map((line, at) => [at === 0 ? nothing : html`<br>`, linked(line)])}</p>`,
  )
  return html`<div lang="${text.language}">${paragraphs}</div>`
}

const linked = (line: string): (string | Html)[] =>
  line.split(ADDRESS).map((part, at) => (at % 2 === 0 ? part : link(part)))

/** An address as a link. */
function link(address: string): Html {
  const href = address.startsWith('https://')
    ? address
    : address.includes('@')
      ? `mailto:${address}`
      : `tel:${address.replace(/[^\d+]/g, '')}`
  return html`<a href="${href}">${address}</a>`
}

/** The address of a `Contact` as people read it: `mailto:` and `tel:` are left out. */
export const contactLink = (uri: string): Html => html`<a href="${uri}">${uri.replace(/^(mailto|tel):/, '')}</a>`
