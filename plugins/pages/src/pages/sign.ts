import { html, nothing } from '../html.js'
import { isKept, mayRead } from '../reading.js'
import { unlessRefused } from '../unless-refused.js'
import { data, dropZone, live, outcome } from '../views/controls.js'
import { isLate } from '../views/item-state.js'
import { signingWays } from '../views/signing.js'
import type { Page, Visit } from '../visit.js'

/** A document to sign, for `browser/sign.ts`. */
interface ToSign {
  readonly documentId: string
  readonly title: string
  readonly digests: Readonly<Record<string, string>>
  readonly isKept: boolean
  /** True when the registry keeps the original and this visitor may read it. */
  readonly isGiven: boolean
}

/** `/d/:id/sign`: one more signature on a document. */
export const signDocumentPage: Page = async (visit) => {
  const id = visit.params.id ?? ''
  const one = await toSign(visit, id)
  const { sign: text, document } = visit.texts
  return signing(visit, {
    title: text.of,
    name: one.title || document.untitled,
    back: [`/d/${id}`, text.back],
    documents: [one],
    packageId: undefined,
  })
}

/** `/p/:packageId/sign`: a signature on every document of a package. */
export const signPackagePage: Page = async (visit) => {
  const packageId = visit.params.packageId ?? ''
  const found = await visit.use.getPackage.execute(visit.caller, { packageId })
  const documents: ToSign[] = []
  for (const id of found.documentsIds) documents.push(await toSign(visit, id))
  const { sign: text, package: words } = visit.texts
  return signing(visit, {
    title: text.ofPackage,
    name: found.title || words.untitled,
    back: [`/p/${packageId}`, text.backPackage],
    documents,
    packageId,
  })
}

/** Documents that are signed at once, each for itself. */
const MAX_DOCUMENTS = 50

/** `/sign-many?id=…`: one more signature on each of several documents, with one choice of a key. */
export const signManyPage: Page = async (visit) => {
  const ids = [...new Set(visit.query.getAll('id'))].slice(0, MAX_DOCUMENTS)
  const documents: ToSign[] = []
  for (const id of ids) documents.push(await toSign(visit, id))
  const { sign: text, nav, sendMany } = visit.texts
  if (documents.length === 0)
    return {
      title: text.title,
      unlisted: true,
      body: html`<h1>${text.title}</h1><p class="note">${sendMany.nothingChosen} <a href="/documents">${nav.documents}</a></p>`,
    }
  return signing(visit, {
    title: text.title,
    name: visit.texts.package.documents(documents.length),
    back: ['/documents', nav.documents],
    documents,
    packageId: undefined,
  })
}

async function toSign(visit: Visit, id: string): Promise<ToSign> {
  const { use, caller } = visit
  const { document, known } = await use.getDocument.withDigests(caller, { id })
  const { title } = document
  return {
    documentId: id,
    title,
    digests: known.digests,
    isKept: isKept(document),
    isGiven: await mayRead(visit, id, document),
  }
}

async function signing(
  visit: Visit,
  {
    title,
    name,
    back: [href, label],
    documents,
    packageId,
  }: {
    title: string
    name: string
    back: [string, string]
    documents: readonly ToSign[]
    packageId: string | undefined
  },
) {
  const { sign: text, document: words, deal } = visit.texts
  const incoming = visit.query.get('incoming') ?? ''
  const answer = await answered(visit, documents, packageId)
  const areKept = documents.every((one) => one.isKept)
  const areStored = documents.every(({ isGiven }) => isGiven)
  return {
    title: `${text.title}: ${name}`,
    scripts: ['sign'],
    needs: 'signing' as const,
    body: html`<div class="narrow"><p class="kicker">${title}</p><h1><bdi>${name}</bdi></h1>
<p>${answer === 'open' ? html`<a href="/incoming/${incoming}">${deal.backToItem}</a>` : html`<a href="${href}">${label}</a>`}</p>
${answer === 'over' ? html`<p class="note">${deal.notWaiting}</p>` : nothing}
${live(
  visit,
  html`<form id="sign" class="form"><section class="card"><h2>${text.original}</h2>
${
  areStored
    ? html`<p>${text.originalStored}</p><ul class="rows">${documents.map((one) => html`<li><bdi>${one.title || words.untitled}</bdi><button type="button" class="small" disabled data-look="${one.documentId}">${words.look}</button><button type="button" class="small" disabled data-original="${one.documentId}">${words.downloadOriginal}</button></li>`)}</ul>`
    : html`<p>${areKept ? html`${text.originalsForKnown} <a href="/login?next=${encodeURIComponent(visit.url)}">${visit.texts.nav.login}</a>` : packageId === undefined ? text.originalNeeded : text.originalsNeeded}</p>
${dropZone({ id: 'originals', text: packageId === undefined ? visit.texts.check.drop : visit.texts.new.drop, choose: words.choose, multiple: documents.length > 1, hint: text.read })}<ul class="rows" id="chosen" aria-live="polite"></ul>${outcome('choice')}`
}<div id="looked"></div></section>
<fieldset class="card"><legend>${visit.texts.new.how}</legend>${signingWays(visit, 'document')}</fieldset>
<p class="actions"><button class="strong" disabled>${answer === 'open' ? deal.signAndAccept : text.submit}</button></p>${outcome('progress')}</form>`,
)}${data('to-sign', { documents, areStored, ...(packageId !== undefined && { packageId }), ...(answer === 'open' ? { back: `/incoming/${incoming}`, incomingId: incoming } : { back: href }) })}</div>`,
  }
}

/** Whether the signature answers an item that still waits for it; `over` where it no longer does. */
async function answered(visit: Visit, documents: readonly ToSign[], packageId: string | undefined) {
  const incomingId = visit.query.get('incoming')
  if (incomingId === null) return 'none'
  const item = await unlessRefused(visit.use.getIncoming.execute(visit.caller, { incomingId, query: {} }))
  const isThis = packageId === undefined ? item?.documentId === documents[0]?.documentId : item?.packageId === packageId
  if (item === undefined || !isThis) return 'none'
  return item.status === 'new' && !isLate(item, visit.use.clock.now()) ? 'open' : 'over'
}
