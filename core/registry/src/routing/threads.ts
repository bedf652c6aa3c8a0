import { type AwaitedSigner, AwaitedSigners, type DocumentRecord, SignerStore } from '../documents/index.js'
import type { Subject } from '../events/index.js'
import { Clock } from '../kernel/clock.js'
import { Limits } from '../kernel/limits.js'
import { weightAsJson } from '../kernel/page-of-bytes.js'
import type { Injected } from '../kernel/service.js'
import { PartyNames } from '../parties/index.js'
import { itemSteps } from './item-steps.js'
import { type ThreadItem, ThreadItems } from './thread-items.js'
import { isOrganization, namedPeople, ThreadNames } from './thread-names.js'
import { type DocumentThread, STEP_KINDS, type ThreadAwaited, type ThreadStep } from './thread-schema.js'
import { type KnownSignature, signerStep, type ThreadSigner, ThreadSigners } from './thread-signers.js'
import type { ThreadViewer } from './thread-viewer.js'
import { type DocumentToSign, type ThreadSigning, whatNext } from './thread-you.js'

/** Steps in an answer. */
const STEPS = 200
/** Signers who are awaited in an answer. */
const AWAITED = 100

/** What a thread is about. */
export interface ThreadSubject {
  readonly subject: Subject
  readonly storedAt: number
  /** BIN of the organization whose system registered it. */
  readonly registrator: string | undefined
  /** When the hashes of all documents were fixed. */
  readonly completedAt: number | undefined
  /** What else happened, as far as the viewer may know. */
  readonly others?: readonly ThreadStep[]
  /** Those that the viewer may see. */
  readonly documents: readonly DocumentRecord[]
  readonly documentsTotal: number
  readonly signing: ThreadSigning
  /** Signatures that were read already. */
  readonly signatures?: readonly KnownSignature[] | undefined
}

/** Tells where documents and packages stand: what happened, who is awaited, and what the viewer has to do. */
export class Threads {
  static readonly inject = {
    items: ThreadItems,
    signers: ThreadSigners,
    signed: SignerStore,
    awaited: AwaitedSigners,
    parties: PartyNames,
    clock: Clock,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof Threads.inject>) {}

  async of(about: ThreadSubject, viewer: ThreadViewer): Promise<Omit<DocumentThread, 'documentId'>> {
    const { subject, documents, documentsTotal } = about
    const { items, ...moreItems } = await this.use.items.of(subject, viewer)
    const { signers, ...moreSigners } = await this.use.signers.of(
      documents.map(({ id }) => id),
      about.signatures,
    )
    const toSign = await this.toSign(documents, viewer)
    const allAwaited = joined(toSign)
    const awaited = allAwaited.slice(0, AWAITED)
    const people = namedPeople(viewer, items, signers)
    const said = knownNames(signers)
    const parties = [...people, ...organizationsOf(about, items, awaited)].filter((one) => !said.has(one))
    const known = new Map([...(await this.use.parties.of(parties)), ...said])
    const names = new ThreadNames(known, people, signers)
    const isPackage = subject.packageId !== undefined
    const steps = [
      ...registration(about, names),
      ...(about.others ?? []),
      ...signers.map((one) => signerStep(one, { isPackage, documents: documentsTotal })),
      ...items.flatMap((one) => itemSteps(one, viewer, names)),
    ].sort(inTime)
    const shown = this.newest(steps)
    const isShortened =
      moreItems.isShortened ||
      moreSigners.isShortened ||
      shown.length < steps.length ||
      awaited.length < allAwaited.length
    return {
      steps: shown,
      ...(isShortened && { shortened: true as const }),
      awaited: awaited.map((one) => withName(one, names)),
      ...(viewer.signer && { you: await this.you(about, viewer, items, toSign) }),
    }
  }

  private async you(
    { subject, documents, documentsTotal, signing }: ThreadSubject,
    viewer: ThreadViewer,
    items: readonly ThreadItem[],
    toSign: readonly DocumentToSign[],
  ) {
    const isAsking = ({ side, item }: ThreadItem) =>
      side === 'receiver' && item.toSign && (item.status === 'new' || item.status === 'accepted')
    return whatNext(viewer, {
      documents: toSign,
      areAll: documents.length === documentsTotal,
      signing,
      isAsked: items.some(isAsking),
      ...(await this.use.items.open(subject, viewer)),
      now: this.use.clock.now(),
    })
  }

  private async toSign(documents: readonly DocumentRecord[], { signer }: ThreadViewer): Promise<DocumentToSign[]> {
    const ids = documents.map(({ id }) => id)
    const signed = signer === undefined ? [] : await this.use.signed.lastBy(signer.userId, ids)
    const all: DocumentToSign[] = []
    for (const document of documents) {
      const own = signed.filter(({ documentId }) => documentId === document.id)
      all.push({
        document,
        awaited: await this.use.awaited.of(document),
        signedAt: own.find(({ businessId }) => businessId === signer?.businessId)?.storedAt,
        signedInAnyRole: own.length > 0,
      })
    }
    return all
  }

  /** The newest steps, as many as an answer has room for. */
  private newest(steps: readonly ThreadStep[]): ThreadStep[] {
    const shown: ThreadStep[] = []
    let weight = 0
    for (const step of steps.slice(-STEPS).reverse()) {
      weight += weightAsJson(step)
      if (weight > this.use.limits.pageBytes) break
      shown.push(step)
    }
    return shown.reverse()
  }
}

function registration({ storedAt, completedAt, registrator }: ThreadSubject, names: ThreadNames): ThreadStep[] {
  return [
    { at: storedAt, kind: 'registered', ...(registrator !== undefined && names.from(registrator, undefined)) },
    ...(completedAt === undefined ? [] : [{ at: completedAt, kind: 'completed' } as const]),
  ]
}

const inTime = (a: ThreadStep, b: ThreadStep): number =>
  a.at - b.at || STEP_KINDS.indexOf(a.kind) - STEP_KINDS.indexOf(b.kind)

function organizationsOf(
  { registrator }: ThreadSubject,
  items: readonly ThreadItem[],
  awaited: readonly AwaitedSigner[],
): string[] {
  const parties = items.flatMap(({ item }) => [item.sender, item.receiver])
  const all = [registrator, ...parties, ...awaited.map(({ bin }) => bin)]
  return all.flatMap((one) => (one !== undefined && isOrganization(one) ? [one] : []))
}

/** As the certificates of the signatures say. */
function knownNames(signers: readonly ThreadSigner[]): ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  for (const { userId, businessId, personName, organizationName } of signers) {
    if (personName !== '') known.set(userId, personName)
    if (businessId !== undefined && organizationName !== '') known.set(businessId, organizationName)
  }
  return known
}

/** Those whom any of the documents awaits. */
function joined(documents: readonly DocumentToSign[]): AwaitedSigner[] {
  const all = new Map<string, AwaitedSigner>()
  for (const { awaited } of documents)
    for (const { next, ...rule } of awaited) {
      const key = JSON.stringify([rule.order, rule.iin, rule.bin, rule.authorities, rule.ca])
      all.set(key, { ...rule, next: next || (all.get(key)?.next ?? false) })
    }
  return [...all.values()].sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
}

function withName(one: AwaitedSigner, names: ThreadNames): ThreadAwaited {
  const party = one.iin ?? one.bin
  const name = party === undefined ? undefined : names.of(party)
  return { ...one, ...(name !== undefined && { name }) }
}
