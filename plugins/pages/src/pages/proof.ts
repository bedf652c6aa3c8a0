import { documentPage as addressOf, RegistryError } from '@signed-registry/core'
import type { DocumentProof } from '@signed-registry/core/documents'
import { encodeQR } from 'qr'
import { time } from '../formats.js'
import { html, nothing, raw } from '../html.js'
import { copyable, data, dropZone, fact, facts, live, outcome } from '../views/controls.js'
import type { Shown, Visit } from '../visit.js'

/** Shown instead of a private document: that it is registered and signed, if its settings allow it; otherwise throws the refusal. */
export async function proofPage(visit: Visit, id: string, refusal: RegistryError): Promise<Shown> {
  const { texts, caller, language, use } = visit
  const { proof: text, document: words } = texts
  const { storedAt, signaturesTotal, algorithms } = await proofOr(visit, id, refusal)
  const link = addressOf(use.site, id)
  const isAnonymous = caller.kind === 'anonymous'
  return {
    title: text.title,
    isPublic: true,
    unlisted: true,
    scripts: ['proof', ...(isAnonymous ? ['session'] : [])],
    body: html`<article class="document">
<header class="page-head"><div><p class="kicker">${text.kicker}</p><h1>${text.title}</h1>
<p class="chips"><span class="chip good">${words.signed(signaturesTotal)}</span><span class="chip">${words.private}</span></p></div>
<figure class="qr">${raw(encodeQR(link, 'svg', { border: 1 }))}<figcaption class="visually-hidden">${words.qr}</figcaption></figure></header>
<section class="card">${facts(
      fact(words.id, copyable(visit, id)),
      fact(words.link, copyable(visit, link)),
      fact(words.registered, time(language, storedAt)),
      fact(words.signatures, String(signaturesTotal)),
    )}<p class="note">${text.only}</p>
${isAnonymous ? html`<p class="actions"><a class="button" href="/login?next=${encodeURIComponent(visit.url)}">${texts.nav.login}</a></p>` : nothing}</section>
<section class="card check"><h2>${text.check}</h2>
${live(visit, html`${dropZone({ id: 'original', text: text.checkText, choose: words.choose })}${outcome('verdict')}`)}</section>
${data('proof', { id, algorithms })}</article>`,
  }
}

async function proofOr({ use, caller }: Visit, id: string, refusal: RegistryError): Promise<DocumentProof> {
  try {
    return await use.getDocumentProof.execute(caller, { id })
  } catch (error) {
    throw error instanceof RegistryError && error.kind !== 'unexpected' ? refusal : error
  }
}
