import type { DocumentResource } from '@signed-registry/client'
import { packagePage as addressOf, type Caller } from '@signed-registry/core'
import { encodeQR } from 'qr'
import { digits, namePart, personName, time } from '../formats.js'
import { type Html, html, nothing, raw } from '../html.js'
import { mayRead } from '../reading.js'
import { isSigningNext } from '../thread.js'
import { unlessRefused } from '../unless-refused.js'
import { act, acts } from '../views/acts.js'
import { changes } from '../views/changes.js'
import { copyable, fact, facts, outcome } from '../views/controls.js'
import { evidenceHint, evidenceLink } from '../views/evidence.js'
import { mails } from '../views/mails.js'
import { sendAct } from '../views/send-act.js'
import { timeline } from '../views/timeline.js'
import { whereItStands } from '../views/where-it-stands.js'
import type { Page, Visit } from '../visit.js'

/** A document of the package, as far as the visitor may see it. */
interface Part {
  readonly id: string
  readonly document: DocumentResource | undefined
}

/** `/p/:packageId`: the documents of a package, and who has signed which of them. */
export const packagePage: Page = async (visit) => {
  const { use, caller, texts, language } = visit
  const packageId = visit.params.packageId ?? ''
  const found = await use.getPackage.execute(caller, { packageId })
  const parts: Part[] = []
  for (const id of found.documentsIds)
    parts.push({ id, document: await unlessRefused(use.getDocument.execute(caller, { id })) })
  const title = found.title === '' ? texts.package.untitled : found.title
  const link = addressOf(use.site, packageId)
  const isKnown = caller.kind === 'person' || caller.kind === 'employee'
  const [mayNotify, mayChange, history, told, thread] = await Promise.all([
    isKnown && use.notifyPackage.admits(caller, { packageId }),
    isKnown && use.changePackageSettings.admits(caller, { packageId }),
    changes(visit, (query) => use.getPackageSettingsAudit.execute(caller, { packageId, query })),
    mails(visit, (query) => use.listPackageMails.execute(caller, { packageId, query })),
    use.getPackageThread.execute(caller, { packageId }),
  ])
  const isProved = hasEvidence(parts)
  const hint = isProved && !(await mayReadAll(visit, parts)) ? evidenceHint(texts.evidence.ofPackage) : nothing
  const send = await sendAct(visit, `/p/${packageId}`, thread)
  const isToSign = isSigningNext(thread)
  const sign = act(`/p/${packageId}/sign`, texts.package.sign, isToSign)
  const missing = isKnown ? unsignedBy(caller, parts) : undefined
  return {
    title,
    isPublic: true,
    body: html`<article>
<header class="page-head"><div><p class="kicker">${texts.package.page}</p><h1><bdi>${title}</bdi></h1>
${found.description === '' ? nothing : html`<p class="lead"><bdi>${found.description}</bdi></p>`}
<p class="chips"><span class="chip">${texts.package.documents(parts.length)}</span>${found.settings.private ? html`<span class="chip">${texts.document.private}</span>` : nothing}</p></div>
<figure class="qr">${raw(encodeQR(link, 'svg', { border: 1 }))}<figcaption class="visually-hidden">${texts.document.qr}</figcaption></figure></header>
${whereItStands(visit, { thread, href: `/p/${packageId}`, signLabel: texts.package.sign })}
<section class="card">${facts(
      fact(texts.document.id, copyable(visit, packageId)),
      fact(texts.document.link, copyable(visit, link)),
      fact(texts.package.created, time(language, found.storedAt)),
    )}
${missing === undefined || missing.length === 0 ? nothing : html`<p class="note"><strong>${texts.package.youMiss}</strong> ${titles(visit, missing)}</p>`}
${found.settings.signWholePackage ? html`<p class="note">${texts.package.signWhole}</p>` : nothing}
${acts(
  visit,
  [isToSign ? sign : nothing, send.isNext ? send.shown : nothing],
  [
    isToSign || thread.you?.next === 'sign' ? nothing : sign,
    send.isNext ? nothing : send.shown,
    mayNotify ? act(`/p/${packageId}/notify`, texts.document.notify) : nothing,
    mayChange ? act(`/p/${packageId}/settings`, texts.document.settings) : nothing,
    isProved ? html`${evidenceLink(visit, `/api/package/${packageId}/evidence`, hint)}${hint}` : nothing,
  ],
)}
${outcome('actions-outcome')}</section>
<section><h2>${texts.package.list}</h2><ol class="rows">${parts.map((part) => row(visit, part))}</ol></section>
<section><h2>${texts.package.signers}</h2>${signers(visit, parts)}</section>
${timeline(visit, thread)}
${told}
${history ?? nothing}</article>`,
  }
}

/** Whether the registry makes an evidence bundle for the visitor: of a signed package, all of which they may see. */
const hasEvidence = (parts: readonly Part[]): boolean =>
  parts.every(({ document }) => document !== undefined && document.signedDataSize > 0) &&
  parts.some(({ document }) => document !== undefined && document.signaturesTotal > 0)

/** Whether the visitor may read the original of every document. */
async function mayReadAll(visit: Visit, parts: readonly Part[]): Promise<boolean> {
  const readable = parts.map(async ({ id, document }) => document !== undefined && mayRead(visit, id, document))
  return (await Promise.all(readable)).every((one) => one)
}

/** Documents that the visitor may see and has not signed yet, in the role they are logged in with. */
function unsignedBy(caller: Caller, parts: readonly Part[]): DocumentResource[] {
  const { iin, bin } = { bin: undefined, iin: undefined, ...caller }
  return opened(parts).filter(
    ({ signatures }) => !signatures.some(({ userId, businessId }) => userId === iin && businessId === bin),
  )
}

const opened = (parts: readonly Part[]): DocumentResource[] =>
  parts.flatMap(({ document }) => (document === undefined ? [] : [document]))

const titles = ({ texts }: Visit, documents: readonly DocumentResource[]): Html =>
  html`${documents.map(({ title }, index) => html`${index === 0 ? '' : ', '}<bdi>${title || texts.document.untitled}</bdi>`)}`

function row({ texts }: Visit, { id, document }: Part): Html {
  if (document === undefined) return html`<li><span class="muted">${texts.package.hiddenDocument}</span></li>`
  const { title, signaturesTotal, signedDataSize } = document
  return html`<li><a href="/d/${id}"><bdi>${title === '' ? texts.document.untitled : title}</bdi></a>
${signedDataSize === 0 ? html`<span class="chip warn">${texts.lists.unfinished}</span>` : nothing}<span class="chip${signaturesTotal > 0 ? ' good' : ''}">${signaturesTotal > 0 ? texts.document.signed(signaturesTotal) : texts.document.unsigned}</span></li>`
}

/** Everybody who signed something, and which documents each of them has not signed. */
function signers(visit: Visit, parts: readonly Part[]): Html {
  const { texts } = visit
  const open = opened(parts)
  const all = new Map<string, { name: string; of: string; signed: Set<DocumentResource> }>()
  for (const document of open) {
    for (const { userId, businessId, subjectStructure } of document.signatures) {
      const key = `${userId} ${businessId ?? ''}`
      const known = all.get(key) ?? {
        name: personName(subjectStructure) || digits(userId),
        of: businessId === undefined ? '' : namePart(subjectStructure, 'O'),
        signed: new Set<DocumentResource>(),
      }
      known.signed.add(document)
      all.set(key, known)
    }
  }
  if (all.size === 0) return html`<p>${texts.package.nobody}</p>`
  return html`<ul class="rows">${[...all.values()].map(({ name, of, signed }) => {
    const missing = open.filter((document) => !signed.has(document))
    return html`<li><span><bdi>${name}</bdi>${of === '' ? nothing : html`, <bdi>${of}</bdi>`}</span>
${
  missing.length === 0
    ? html`<span class="chip good">${texts.package.signedAll(open.length)}</span>`
    : html`<span class="chip warn">${texts.package.missing} ${titles(visit, missing)}</span>`
}</li>`
  })}</ul>`
}
