import { digits, size } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Signing } from '../to-sign.js'
import type { Visit } from '../visit.js'
import { fact, facts, outcome } from './controls.js'
import { signingWays } from './signing.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const SHOWN_OF_HASH = 16

/** Beside what is read: what will be signed, for whom, in which way, and the button. */
export function signingPanel(visit: Visit, { documents, name }: Signing, willAccept: boolean): Html {
  const { texts, language } = visit
  const { sign: text, signing: words, document } = texts
  const [first] = documents
  const hash = documents.length === 1 ? first?.digests[SHA256] : undefined
  const total = documents.reduce((sum, one) => sum + one.size, 0)
  return html`<div class="panel"><section class="card"><h2>${words.what}</h2>${facts(
    fact(texts.lists.title, html`<bdi>${name}</bdi>`),
    documents.length > 1 ? fact(texts.package.list, String(documents.length)) : nothing,
    total > 0 ? fact(document.size, size(language, total)) : nothing,
    hash === undefined ? nothing : fact('SHA-256', html`<code title="${hash}">${hash.slice(0, SHOWN_OF_HASH)}…</code>`),
    fact(words.who, whoSigns(visit)),
  )}</section>
<fieldset class="card"><legend>${texts.new.how}</legend>${signingWays(visit, 'document')}</fieldset>
<div class="bar"><button class="strong" disabled>${willAccept ? texts.deal.signAndAccept : text.submit}</button>${willAccept ? html`<p class="hint">${words.willAccept}</p>` : nothing}</div>${outcome('progress')}</div>`
}

/** The key decides who signs; who is logged in knows which one is expected. */
function whoSigns({ caller, texts: { signing: text, signature } }: Visit): Html {
  if (caller.kind === 'employee')
    return html`${text.forOrganization} <span>${signature.bin} ${digits(caller.bin)}</span> <small>${text.keyDecides}</small>`
  return caller.kind === 'person'
    ? html`${signature.person} <small>${text.keyDecides}</small>`
    : html`${text.keyDecides}`
}
