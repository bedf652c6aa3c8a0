import { Database } from '../database/database.js'
import { type DocumentRecord, DocumentStore, SignatureStore, signerEmail } from '../documents/index.js'
import type { RegistryEvent } from '../events/index.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOfSigner, spelling } from '../notifications/index.js'
import { PackageNotifications } from '../packages/index.js'
import type { SignatureFacts } from '../signatures/index.js'
import { type Notice, noticesFor } from './notices.js'

type SignatureEvent = Extract<RegistryEvent, { type: 'signatureRegistered' }>
type PackageEvent = Extract<RegistryEvent, { type: 'packageSigned' }>

/** Of those who signed before, so many are told of a signature, whoever they are. */
const SIGNERS_MOST = 1000

/** Says who is told of a signature: by request, because of the registration, and because they signed before (mail types 2 and 3). */
export class SignatureNotices {
  static readonly inject = {
    documents: DocumentStore,
    signatures: SignatureStore,
    packageNotifications: PackageNotifications,
    budget: MailBudget,
    database: Database,
    logger: Logger,
  }

  constructor(private readonly use: Injected<typeof SignatureNotices.inject>) {}

  /** Signatures under documents that were complete; of the first one of a registration its completion tells. */
  async ofSignatures(events: readonly SignatureEvent[]): Promise<Notice[]> {
    const single = events.filter(({ withWholePackage }) => withWholePackage !== true)
    if (single.length === 0) return []
    const documents = await this.use.documents.getAll([...new Set(single.map(({ documentId }) => documentId))])
    const complete = new Map(documents.filter(isComplete).map((document) => [document.id, document]))
    const signatures = await this.use.signatures.summaries(single.map(({ signId }) => signId))
    const notices: Notice[] = []
    for (const { eventId, documentId, signId } of single) {
      const [document, signature] = [complete.get(documentId), signatures.get(signId)]
      if (document === undefined || signature === undefined) continue
      const { facts, emailNotifications: asked } = signature
      const own = await this.addressesOf(facts)
      const place = { owner: documentId, eventId }
      const added = { kind: 'signatureAdded', documentId, signId } as const
      if (asked !== undefined) {
        const attach = asked.doNotAttachDocument ? 'none' : 'stored'
        notices.push(...noticesFor(asked, { ...place, askedBy: facts.businessId, news: { ...added, attach } }))
      }
      const { emailNotifications: registered } = document
      if (registered !== undefined) {
        const attach = registered.doNotAttachDocument ? 'none' : 'stored'
        const to = registered.to.filter((address) => !own.has(spelling(address)))
        const askedBy = document.registrator?.bin
        // Who signs has not named them, and is not refused for them.
        if (await this.use.budget.fits(payerOfSigner(facts), to.length))
          notices.push(...noticesFor({ ...registered, to }, { ...place, askedBy, news: { ...added, attach } }))
        else
          this.use.logger.warn('Mails about a signature are withheld: too many of one signer', { documentId, signId })
      }
      for (const to of await this.earlierSigners([documentId], [facts], own)) {
        notices.push({ ...place, to, news: { kind: 'ownDocumentSigned', documentId, signId } })
      }
    }
    return notices
  }

  /** Signatures under all documents of a package: one mail tells of all of them. */
  async ofPackage({ eventId, packageId, signIds }: PackageEvent): Promise<Notice[]> {
    const signatures = [...(await this.use.signatures.summaries(signIds)).values()]
    const documentsIds = signatures.map(({ documentId }) => documentId)
    const facts = signatures.map((signature) => signature.facts)
    const own = new Set<string>()
    for (const one of onePerSigner(facts)) for (const address of await this.addressesOf(one)) own.add(address)
    const place = { owner: packageId, eventId }
    const asked = (await this.use.packageNotifications.of(packageId)).find((one) => one.signIds[0] === signIds[0])
    const attach = asked?.doNotAttachDocuments ? [] : documentsIds
    const news = { kind: 'packageSigned', packageId, signIds, attach } as const
    const askedBy = facts[0]?.businessId
    return [
      ...(asked === undefined ? [] : noticesFor(asked, { ...place, askedBy, news })),
      ...(await this.earlierSigners(documentsIds, facts, own)).map((to) => {
        return { ...place, to, news: { kind: 'ownPackageSigned', packageId, signIds } as const }
      }),
    ]
  }

  /** Addresses of a signer: they know that they signed. */
  private async addressesOf(facts: SignatureFacts): Promise<Set<string>> {
    const row: { email: string } | undefined = await this.use.database
      .query('registry_user_settings')
      .where({ iin: facts.userId })
      .first('email')
    return new Set([row?.email, signerEmail(facts)].flatMap((one) => (one ? [spelling(one)] : [])))
  }

  /** Addresses of those who signed any of these documents, but for these signers, and want to hear of it. */
  private async earlierSigners(
    documentsIds: readonly string[],
    signers: readonly SignatureFacts[],
    own: ReadonlySet<string>,
  ): Promise<string[]> {
    const people: { email: string }[] = await this.use.database
      .query('registry_signatures as s')
      .join('registry_user_settings as u', 'u.iin', 's.user_id')
      .whereIn('s.document_id', documentsIds)
      .whereNotIn('s.user_id', [...new Set(signers.map(({ userId }) => userId))])
      .andWhere('u.email_notifications_enabled', true)
      .andWhere('u.email', '<>', '')
      .distinct('u.iin', 'u.email')
      .limit(SIGNERS_MOST)
    return people.flatMap(({ email }) => (own.has(spelling(email)) ? [] : email))
  }
}

const isComplete = ({ digestsFixedAt }: DocumentRecord): boolean => digestsFixedAt !== undefined

const onePerSigner = (facts: readonly SignatureFacts[]): SignatureFacts[] => [
  ...new Map(facts.map((one) => [`${one.userId} ${signerEmail(one)}`, one])).values(),
]
