import { Database } from '../database/database.js'
import { type DocumentRecord, DocumentStore, SignatureStore, signerEmail } from '../documents/index.js'
import type { RegistryEvent } from '../events/index.js'
import type { Owner } from '../identity/index.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOfSigner, spelling } from '../notifications/index.js'
import { PackageNotifications, PackageStore } from '../packages/index.js'
import type { SignatureFacts } from '../signatures/index.js'
import { MailLimits } from './limits.js'
import { type Notice, noticesFor } from './notices.js'
import { type Registered, RegisteredAddresses } from './registered-addresses.js'
import { inLanguage, type SettingsAddress } from './routing-addresses.js'

type SignatureEvent = Extract<RegistryEvent, { type: 'signatureRegistered' }>
type PackageEvent = Extract<RegistryEvent, { type: 'packageSigned' }>

type Place = Pick<Notice, 'owner' | 'eventId' | 'news'>

/** Finds the recipients of mails about signatures: named with it, named at registration, or earlier signers (types 2 and 3). */
export class SignatureNotices {
  static readonly inject = {
    documents: DocumentStore,
    signatures: SignatureStore,
    packages: PackageStore,
    packageNotifications: PackageNotifications,
    registered: RegisteredAddresses,
    budget: MailBudget,
    limits: MailLimits,
    database: Database,
    logger: Logger,
  }

  constructor(private readonly use: Injected<typeof SignatureNotices.inject>) {}

  /** For signatures under completed documents; the mail about the completed registration covers the first one. */
  async ofSignatures(events: readonly SignatureEvent[]): Promise<Notice[]> {
    const single = events.filter(({ withWholePackage }) => withWholePackage !== true)
    if (single.length === 0) return []
    const documents = await this.use.documents.getAll([...new Set(single.map(({ documentId }) => documentId))])
    const complete = new Map(documents.filter(isComplete).map((document) => [document.id, document]))
    const signatures = await this.use.signatures.summaries(single.map(({ signId }) => signId))
    const notices: Notice[] = []
    for (const { eventId, documentId, signId, askedBy } of single) {
      const [document, signature] = [complete.get(documentId), signatures.get(signId)]
      if (document === undefined || signature === undefined) continue
      const { facts, emailNotifications: asked } = signature
      const own = await this.addressesOf(facts)
      const place = { owner: documentId, eventId }
      const added = { kind: 'signatureAdded', documentId, signId } as const
      if (asked !== undefined) {
        const attach = asked.doNotAttachDocument ? 'none' : 'stored'
        const by = askedBy ?? payerOfSigner(facts)
        notices.push(...noticesFor(asked, { ...place, askedBy: by, news: { ...added, attach } }))
      }
      const registered = await this.use.registered.ofDocument(document)
      if (registered !== undefined) {
        const attach = registered.withoutOriginals ? 'none' : 'stored'
        const about = { ...place, news: { ...added, attach } } as const
        notices.push(...(await this.toRegistered(registered, { about, payers: [payerOfSigner(facts)], own })))
      }
      for (const address of await this.earlierSigners([documentId], [facts], own)) {
        notices.push({ ...place, ...address, news: { kind: 'ownDocumentSigned', documentId, signId } })
      }
    }
    return notices
  }

  /** For signatures under all documents of a package: one mail covers all of them. */
  async ofPackage({ eventId, packageId, signIds, askedBy }: PackageEvent): Promise<Notice[]> {
    const signatures = [...(await this.use.signatures.summaries(signIds)).values()]
    const documentsIds = signatures.map(({ documentId }) => documentId)
    const signers = onePerSigner(signatures.map(({ facts }) => facts))
    const [first] = signers
    if (first === undefined) return []
    const own = new Set<string>()
    for (const one of signers) for (const address of await this.addressesOf(one)) own.add(address)
    const place = { owner: packageId, eventId }
    const signed = { kind: 'packageSigned', packageId, signIds } as const
    const notices: Notice[] = []
    const asked = (await this.use.packageNotifications.of(packageId)).find((one) => one.signIds[0] === signIds[0])
    if (asked !== undefined) {
      const attach = asked.doNotAttachDocuments ? [] : documentsIds
      const by = askedBy ?? payerOfSigner(first)
      notices.push(...noticesFor(asked, { ...place, askedBy: by, news: { ...signed, attach } }))
    }
    const registered = this.use.registered.ofPackage(await this.use.packages.get(packageId))
    if (registered !== undefined) {
      const about = { ...place, news: { ...signed, attach: registered.withoutOriginals ? [] : documentsIds } }
      notices.push(...(await this.toRegistered(registered, { about, payers: signers.map(payerOfSigner), own })))
    }
    for (const address of await this.earlierSigners(documentsIds, signers, own))
      notices.push({ ...place, ...address, news: { kind: 'ownPackageSigned', packageId, signIds } })
    return notices
  }

  /** The signer did not name these addresses: mails beyond the signer's limit are dropped, and the signature is accepted. */
  private async toRegistered(
    { asked, askedBy }: Registered,
    { about, payers, own }: { about: Place; payers: readonly Owner[]; own: ReadonlySet<string> },
  ): Promise<Notice[]> {
    const to = asked.to.filter((address) => !own.has(spelling(address)))
    for (const payer of [...new Set(payers)].sort()) {
      if (await this.use.budget.fits(payer, to.length)) continue
      this.use.logger.warn('Mails about a signature are withheld: too many of one signer', { owner: about.owner })
      return []
    }
    return noticesFor({ ...asked, to }, { ...about, askedBy })
  }

  /** The signer's own addresses, which need no mail. */
  private async addressesOf(facts: SignatureFacts): Promise<Set<string>> {
    const row: { email: string } | undefined = await this.use.database
      .query('registry_user_settings')
      .where({ iin: facts.userId })
      .first('email')
    return new Set([row?.email, signerEmail(facts)].flatMap((one) => (one ? [spelling(one)] : [])))
  }

  /** Addresses of other signers of these documents who have notifications on. */
  private async earlierSigners(
    documentsIds: readonly string[],
    signers: readonly SignatureFacts[],
    own: ReadonlySet<string>,
  ): Promise<SettingsAddress[]> {
    const { mailedSigners: max } = this.use.limits
    const people: { email: string; notifications_language: string }[] = await this.use.database
      .query('registry_signatures as s')
      .join('registry_user_settings as u', 'u.iin', 's.user_id')
      .whereIn('s.document_id', documentsIds)
      .whereNotIn('s.user_id', [...new Set(signers.map(({ userId }) => userId))])
      .andWhere('u.email_notifications_enabled', true)
      .andWhere('u.email', '<>', '')
      .distinct('u.iin', 'u.email', 'u.notifications_language')
      .limit(max === 0 ? Number.MAX_SAFE_INTEGER : max)
    return people
      .filter(({ email }) => !own.has(spelling(email)))
      .map(({ email: to, notifications_language: language }) => ({ to, ...inLanguage(language) }))
  }
}

const isComplete = ({ digestsFixedAt }: DocumentRecord): boolean => digestsFixedAt !== undefined

const onePerSigner = (facts: readonly SignatureFacts[]): SignatureFacts[] => [
  ...new Map(facts.map((one) => [`${one.userId} ${signerEmail(one)}`, one])).values(),
]
