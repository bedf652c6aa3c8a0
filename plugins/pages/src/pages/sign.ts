import { itemAnswered } from '../answered-item.js'
import { type Html, html, nothing } from '../html.js'
import { type Signing, type ToSign, toSign } from '../to-sign.js'
import { data } from '../views/controls.js'
import { loginFirst } from '../views/login-first.js'
import { notAwaited } from '../views/not-awaited.js'
import { signed } from '../views/signed.js'
import { signingPanel } from '../views/signing-panel.js'
import { originalsToRead } from '../views/signing-reading.js'
import type { Page, Shown, Visit } from '../visit.js'

/** `/d/:id/sign`: one more signature on a document. */
export const signDocumentPage: Page = async (visit) => {
  const id = visit.params.id ?? ''
  const one = await toSign(visit, id)
  const { sign: text, document } = visit.texts
  const name = one.title || document.untitled
  const about = { title: text.of, name, address: `/d/${id}`, back: text.back, documents: [one] }
  return signing(visit, about, one.closed === undefined ? await notAwaited(visit, id) : nothing)
}

/** `/p/:packageId/sign`: a signature on every document of a package. */
export const signPackagePage: Page = async (visit) => {
  const packageId = visit.params.packageId ?? ''
  const found = await visit.use.getPackage.execute(visit.caller, { packageId })
  const documents: ToSign[] = []
  for (const id of found.documentsIds) documents.push(await toSign(visit, id))
  const { sign: text, package: words } = visit.texts
  const name = found.title || words.untitled
  const address = `/p/${packageId}`
  return signing(visit, { title: text.ofPackage, name, address, back: text.backPackage, documents, packageId })
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
  const name = visit.texts.package.documents(documents.length)
  return signing(visit, { title: text.title, name, address: '/documents', back: nav.documents, documents })
}

async function signing(visit: Visit, about: Signing, warning: Html = nothing): Promise<Shown> {
  const { title, name, address, back, documents, packageId } = about
  const { sign: text, signing: words } = visit.texts
  const closed = documents.filter((one) => one.closed !== undefined)
  const isSeveral = packageId === undefined && documents.length > 1
  const end = isSeveral && closed.length < documents.length ? undefined : closed[0]?.closed
  const answered = await itemAnswered(visit, address)
  const head = html`<p class="kicker">${title}</p><h1><bdi>${name}</bdi></h1><p><a href="${address}">${back}</a></p>`
  const shown = { title: `${text.title}: ${name}`, scripts: ['sign'], needs: 'signing' as const }
  if (answered === 'anonymous')
    return { ...shown, scripts: [], body: html`${head}${loginFirst(visit, words.loginToAnswer)}` }
  if (end !== undefined)
    return {
      ...shown,
      scripts: [],
      body: html`${head}<section class="card warn"><p>${words.closed[end]}</p></section>`,
    }
  const areStored = documents.every(({ isGiven }) => isGiven)
  const note: Html = answered?.note ?? nothing
  return {
    ...shown,
    body: html`${head}${warning}${note}<noscript><p class="note">${visit.texts.needsScript}</p></noscript>
<form id="sign" class="signing" data-live>${originalsToRead(visit, about, areStored)}${signingPanel(visit, about, answered?.willAccept ?? false)}</form>
${signed(visit, about, answered?.incomingId)}
${data('to-sign', {
  documents,
  areStored,
  ...(packageId !== undefined && { packageId }),
  ...(answered?.willAccept && { incomingId: answered.incomingId }),
})}`,
  }
}
