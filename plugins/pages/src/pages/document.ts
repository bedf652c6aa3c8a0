import type { DocumentResource, Signature } from '@signed-registry/client'
import { documentPage as addressOf, RegistryError } from '@signed-registry/core'
import { encodeQR } from 'qr'
import { digits, size, time } from '../formats.js'
import { type Html, html, nothing, raw } from '../html.js'
import { type Logged, logged } from '../logged.js'
import { isKept, mayRead } from '../reading.js'
import { isSigningNext, type Thread } from '../thread.js'
import { act, acts } from '../views/acts.js'
import { brandOf } from '../views/brand.js'
import { changes } from '../views/changes.js'
import { copyable, data, dropZone, fact, facts, live, outcome } from '../views/controls.js'
import { endingCard } from '../views/ending-digests.js'
import { bundledBytes, evidenceLink, noOriginal } from '../views/evidence.js'
import { mails } from '../views/mails.js'
import { type SendAct, sendAct } from '../views/send-act.js'
import { signatureCard } from '../views/signature.js'
import { timeline } from '../views/timeline.js'
import { earlierVersion, newerVersion, newVersionLink } from '../views/versions.js'
import { whereItStands } from '../views/where-it-stands.js'
import type { Page, Visit } from '../visit.js'
import { proofPage } from './proof.js'

/** `/d/:id`, and `/show/?id=`, `/R/?id=` of the production service: everything about a document. */
export const documentPage: Page = async (visit) => {
  const { use, caller, texts, query } = visit
  const id = visit.params.id ?? query.get('id') ?? ''
  const after = Number(query.get('after') ?? 0)
  const lastSignId = Number.isSafeInteger(after) && after > 0 ? after : 0
  const found = await documentOrRefusal(visit, id, lastSignId)
  if (found instanceof RegistryError) return proofPage(visit, id, found)
  const { document, known, record } = found
  const isComplete = known.digestsFixedAt !== undefined
  const title = document.title === '' ? texts.document.untitled : document.title
  const link = addressOf(use.site, id)
  const [brand, offered, history, told, proofs, thread] = await Promise.all([
    brandOf(visit, lastSignId > 0 ? undefined : originOf(document)),
    offers(visit, id, document, isComplete),
    changes(visit, (query) => use.getDocumentSettingsAudit.execute(caller, { id, query })),
    mails(visit, (query) => use.listDocumentMails.execute(caller, { id, query })),
    logged(visit, document.signatures),
    use.getDocumentThread.of(caller, record, document.signatures),
  ])
  return {
    title,
    isPublic: true,
    scripts: ['document'],
    needs: 'showing',
    ...brand,
    body: html`<article class="document">${brand.band}
<header class="page-head"><div><p class="kicker">${texts.document.page}</p><h1><bdi>${title}</bdi></h1>
${document.description === '' ? nothing : html`<p class="lead"><bdi>${document.description}</bdi></p>`}
<p class="chips">${state(visit, document, isComplete, proofs)}${document.settings.private ? html`<span class="chip">${texts.document.private}</span>` : nothing}${document.settings.private && document.settings.publicProof ? html`<span class="chip">${texts.proof.open}</span>` : nothing}</p></div>
<figure class="qr">${raw(encodeQR(link, 'svg', { border: 1 }))}<figcaption class="visually-hidden">${texts.document.qr}</figcaption></figure></header>
${newerVersion(visit, document)}${endingCard(visit, known)}${lastSignId > 0 ? nothing : standing(visit, id, document, thread)}
<section class="card">${facts(
      fact(texts.document.id, copyable(visit, id)),
      fact(texts.document.link, copyable(visit, link)),
      fact(texts.document.registered, time(visit.language, known.storedAt)),
      document.signedDataSize > 0 ? fact(texts.document.size, size(visit.language, document.signedDataSize)) : nothing,
      isComplete ? fact(texts.document.original, keeping(visit, document)) : nothing,
      earlierVersion(visit, document),
      known.packageId === undefined
        ? nothing
        : fact(texts.document.inPackage, html`<a href="/p/${known.packageId}">${texts.document.openPackage}</a>`),
      document.registrator === undefined
        ? nothing
        : fact(texts.document.registrator, `${texts.signature.bin} ${digits(document.registrator.businessId)}`),
      document.settings.signaturesLimit
        ? fact(texts.document.limit, String(document.settings.signaturesLimit))
        : nothing,
    )}
${isComplete ? actions(visit, id, document, offered, { thread, send: await sendAct(visit, `/d/${id}`, thread) }) : nothing}<div id="looked"></div></section>
${checking(visit, isComplete)}
<section><h2>${texts.document.signatures}</h2>${signatures(visit, id, document, lastSignId, proofs)}</section>
${timeline(visit, thread)}
${told}
${history ?? nothing}
${data('document', { id, title: document.title, digests: known.digests, further: known.furtherDigest, isComplete, isSigned: document.signaturesTotal > 0, bundled: offered.original || document.signaturesTotal === 0 ? 0 : bundledBytes(visit) })}
</article>`,
  }
}

/** The document, or why it is not shown to this visitor. */
async function documentOrRefusal({ use, caller }: Visit, id: string, lastSignId: number) {
  try {
    return await use.getDocument.withDigests(caller, { id, query: lastSignId > 0 ? { lastSignId } : {} })
  } catch (error) {
    if (error instanceof RegistryError && (error.kind === 'unauthenticated' || error.kind === 'forbidden')) return error
    throw error
  }
}

/** The organization that registered a document or signed it first. */
const originOf = ({ registrator, signatures }: DocumentResource): string | undefined =>
  registrator?.businessId ?? signatures[0]?.businessId

/** The state of the document in a word; signatures that are not what was logged are not counted as valid. */
function state(
  { texts }: Visit,
  { signaturesTotal }: DocumentResource,
  isComplete: boolean,
  proofs: ReadonlyMap<number, Logged>,
): Html {
  const isChanged = [...proofs.values()].some((one) => one.state === 'changed')
  if (isChanged) return html`<span class="chip bad">${texts.log.chip}</span>`
  if (!isComplete) return html`<span class="chip warn">${texts.document.incomplete}</span>`
  if (signaturesTotal === 0) return html`<span class="chip">${texts.document.unsigned}</span>`
  return html`<span class="chip good">${texts.document.signed(signaturesTotal)}</span>`
}

const keeping = ({ texts }: Visit, { dataArchived, tempStorage }: DocumentResource): string =>
  dataArchived ? texts.document.kept : tempStorage ? texts.document.keptForNow : texts.document.notKept

interface Offers {
  readonly notify: boolean
  readonly settings: boolean
  readonly original: boolean
}

/** Asks the guards of the operations that the page may offer; of an incomplete document, and to anonymous visitors, it offers fewer. */
async function offers(visit: Visit, id: string, document: DocumentResource, isComplete: boolean): Promise<Offers> {
  const { use, caller } = visit
  const mayAsk = isComplete && caller.kind !== 'anonymous'
  const [notify, settings, original] = await Promise.all([
    mayAsk && use.notifyDocument.admits(caller, { id }),
    mayAsk && use.changeDocumentSettings.admits(caller, { id }),
    mayRead(visit, id, document),
  ])
  return { notify, settings, original }
}

function actions(
  visit: Visit,
  id: string,
  document: DocumentResource,
  offered: Offers,
  { thread, send }: { thread: Thread; send: SendAct },
): Html {
  const { texts } = visit
  const { document: text } = texts
  const isSigned = document.signaturesTotal > 0
  const hint = isSigned && !offered.original ? noOriginal(visit, document) : nothing
  const sign = signing(visit, id, document, thread)
  const button = (of: 'look' | 'original' | 'card', label: string) =>
    html`<button type="button" data-live disabled data-${raw(of)}="${id}">${label}</button>`
  const reading = offered.original
    ? button('look', text.look)
    : isKept(document)
      ? act(`/login?next=${encodeURIComponent(visit.url)}`, text.logInToRead)
      : nothing
  return html`${acts(
    visit,
    [sign.isNext ? sign.shown : nothing, send.isNext ? send.shown : nothing, reading],
    [
      sign.isNext ? nothing : sign.shown,
      send.isNext ? nothing : send.shown,
      newVersionLink(visit, id, document),
      offered.notify ? act(`/d/${id}/notify`, text.notify) : nothing,
      offered.settings ? act(`/d/${id}/settings`, text.settings) : nothing,
      offered.original ? button('original', text.downloadOriginal) : nothing,
      offered.original && isSigned ? button('card', text.downloadCard) : nothing,
      isSigned ? html`${evidenceLink(visit, `/api/${id}/evidence`, hint)}${hint}` : nothing,
    ],
  )}
${outcome('actions-outcome')}`
}

/** Where it stands, once there is something to sign. */
const standing = (visit: Visit, id: string, { signaturesTotal, settings }: DocumentResource, thread: Thread): Html =>
  whereItStands(visit, {
    thread,
    href: `/d/${id}`,
    signLabel: visit.texts.document.sign,
    signaturesTotal,
    signUntil: settings.signUntil,
  })

/** One more signature, where it can be made; whoever is awaited is asked for it above. */
function signing(visit: Visit, id: string, { settings, signaturesTotal }: DocumentResource, thread: Thread) {
  const { signaturesLimit = 0, signUntil = Number.POSITIVE_INFINITY, signersRequirements = [] } = settings
  const isFull = signaturesLimit > 0 && signaturesTotal >= signaturesLimit
  const isOver = isFull || signUntil <= visit.use.clock.now() || thread.you?.next === 'sign'
  // Whoever is known and not awaited would be refused.
  const isForOthers = signersRequirements.length > 0 && (thread.you !== undefined || thread.awaited.length === 0)
  if (isOver || isForOthers) return { isNext: false, shown: nothing }
  const isNext = isSigningNext(thread)
  return { isNext, shown: act(`/d/${id}/sign`, visit.texts.document.sign, isNext) }
}

/** Where to drop a file: to compare it, or to complete the registration. */
function checking(visit: Visit, isComplete: boolean): Html {
  const { document: text } = visit.texts
  return html`<section class="card check"><h2>${isComplete ? text.check : text.finish}</h2>
${live(visit, html`${dropZone({ id: 'original', text: isComplete ? text.checkText : text.incompleteText, choose: text.choose })}${outcome('verdict')}`)}</section>`
}

function signatures(
  visit: Visit,
  id: string,
  { signatures, signaturesTotal }: DocumentResource,
  lastSignId: number,
  proofs: ReadonlyMap<number, Logged>,
): Html {
  const { texts } = visit
  if (signaturesTotal === 0) return html`<p>${texts.document.unsigned}</p>`
  const last = signatures.at(-1)
  const hasMore = last !== undefined && signaturesTotal > signatures.length
  return html`<ol class="cards">${signatures.map((one: Signature) => signatureCard(visit, id, one, proofs.get(one.signId) ?? { state: 'off' }))}</ol>
${
  hasMore || lastSignId > 0
    ? html`<p class="pager">${lastSignId > 0 ? html`<a class="button" href="/d/${id}">${texts.document.first}</a>` : nothing}
${hasMore ? html`<a class="button" rel="next" href="/d/${id}?after=${last.signId}">${texts.document.more}</a>` : nothing}</p>`
    : nothing
}`
}
