import { DocumentStore, SignatureStore } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { documentPage, packagePage, Site } from '../kernel/site.js'
import { OrganizationStore } from '../organizations/index.js'
import { PackageStore } from '../packages/index.js'
import { ArchiveAccounts } from '../settings/index.js'
import type { SignatureFacts } from '../signatures/index.js'
import { terms } from '../terms/index.js'
import type { MissingOriginal } from './attachments.js'
import { Letterheads } from './letterheads.js'
import { mailWords } from './mail-words.js'
import { isBySettings, type News } from './news.js'
import { operatorTold } from './operator-facts.js'
import {
  type Block,
  type Language,
  languagesOf,
  plain,
  type RenderedMail,
  renderMail,
  unlinked,
} from './render-mail.js'
import { named, TellItem, type Told, timeOf } from './tell-item.js'
import type { Label, Words } from './words-en.js'

/** What a mail contains besides its content. */
interface Around {
  readonly missing: readonly MissingOriginal[]
  /** Link to unsubscribe, if the recipient can. */
  readonly unsubscribeUrl: string | undefined
  /** An anonymous caller asked for it. */
  readonly isOfStranger?: boolean | undefined
}

type AccountNews = Exclude<Extract<News, { owner: string }>, { state: unknown }>

const MAX_NAME = 100
const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'

/** Writes mails: reads the facts and renders them in the recipient's languages. */
export class MailWriter {
  static readonly inject = {
    documents: DocumentStore,
    signatures: SignatureStore,
    packages: PackageStore,
    organizations: OrganizationStore,
    accounts: ArchiveAccounts,
    items: TellItem,
    letterheads: Letterheads,
    site: Site,
  }

  constructor(private readonly use: Injected<typeof MailWriter.inject>) {}

  /** Rejects when the mail's subject no longer exists. */
  async write(
    news: News,
    language: string,
    { missing, unsubscribeUrl, isOfStranger = false }: Around,
  ): Promise<RenderedMail> {
    const told = isOfStranger ? withoutWords(await this.tell(news)) : await this.tell(news)
    const letterhead = await this.use.letterheads.of(told.from)
    const blocks = languagesOf(language).map((one): Block => {
      const words = mailWords[one]
      const { subject, heading, line } = words.sayings[told.kind ?? news.kind]
      return {
        language: one,
        letterhead: letterhead(one),
        subject: subject(plain(unlinked(told.name), MAX_NAME) || words.untitled),
        heading,
        line,
        facts: told.facts.flatMap(([label, value]) => {
          const said = typeof value === 'string' ? value : value(words, one)
          // Owners of accounts get text from their own settings, so its links may stay.
          const shown = 'owner' in news ? said : unlinked(said)
          return said === '' ? [] : [{ label: words.labels[label], value: shown }]
        }),
        action: { label: words[told.open], url: told.url },
        notes: missing.map(({ title, reason }) => {
          return `${words.notAttached} (${plain(unlinked(title), MAX_NAME) || words.untitled}): ${words.missing[reason]}.`
        }),
        reason: isBySettings(news) ? words.bySettings : isOfStranger ? words.askedByStranger : words.askedFor,
        unsubscribe: words.unsubscribe,
      }
    })
    return renderMail(blocks, { service: this.use.site.name, unsubscribeUrl })
  }

  private async tell(news: News): Promise<Told> {
    switch (news.kind) {
      case 'documentSigned':
      case 'documentPreregistered':
      case 'signatureAdded':
      case 'ownDocumentSigned':
        return this.ofDocument(news)
      case 'packageRegistered':
      case 'packageSigned':
      case 'ownPackageSigned':
        return this.ofPackage(news)
      case 'itemReceived':
      case 'itemToSign':
      case 'itemReminded':
      case 'itemRecalled':
      case 'itemCommented':
      case 'itemAccepted':
      case 'itemDenied':
      case 'itemFailed':
        return this.use.items.ofItem(news)
      case 'signerTurn':
        return this.use.items.ofTurn(news)
      case 'evidenceEnds':
      case 'evidenceEnded':
      case 'evidenceRestarted':
      case 'evidenceRenewed':
        return operatorTold(news, this.use.site.baseUrl)
      default:
        return this.ofAccount(news)
    }
  }

  private async ofDocument(news: Extract<News, { documentId: string }>): Promise<Told> {
    const document = await this.use.documents.get(news.documentId)
    const { id, title, description, storedAt, registrator } = document
    const facts: Told['facts'][number][] = [
      ['document', named(title)],
      ['description', description],
    ]
    if (news.kind === 'documentPreregistered' && registrator !== undefined) {
      facts.push(['organization', await this.organization(registrator.bin)])
    }
    const [first] = news.kind === 'documentSigned' ? await this.use.signatures.page(id, 0, 1) : []
    const signature =
      'signId' in news ? (await this.use.signatures.summaries([news.signId])).get(news.signId) : undefined
    const signer = (first ?? signature)?.facts
    if (signer) facts.push(...signedBy(signer))
    facts.push(['time', timeOf(signature?.storedAt ?? storedAt)], ['identifier', id])
    const from = signer?.businessId ?? (news.kind === 'documentPreregistered' ? registrator?.bin : undefined)
    return { name: title, facts, url: documentPage(this.use.site, id), open: 'openDocument', from }
  }

  private async ofPackage(news: Extract<News, { packageId: string }>): Promise<Told> {
    const { id, title, description, documentsIds, storedAt, registrator } = await this.use.packages.get(news.packageId)
    const signatures = 'signIds' in news ? [...(await this.use.signatures.summaries(news.signIds)).values()] : []
    const signers = new Map(signatures.map(({ facts }) => [`${facts.userId} ${facts.businessId}`, facts]))
    const facts: Told['facts'][number][] = [
      ['package', named(title)],
      ['description', description],
      ['documents', String(documentsIds.length)],
    ]
    if (news.kind === 'packageRegistered' && registrator !== undefined) {
      facts.push(['organization', await this.organization(registrator.bin)])
    }
    for (const one of signers.values()) facts.push(...signedBy(one))
    facts.push(['time', timeOf(signatures[0]?.storedAt ?? storedAt)], ['identifier', id])
    const from = news.kind === 'packageRegistered' ? registrator?.bin : undefined
    return { name: title, facts, url: packagePage(this.use.site, id), open: 'openPackage', from }
  }

  private async ofAccount(news: AccountNews): Promise<Told> {
    const facts: Told['facts'][number][] = [['owner', news.owner]]
    if (news.kind === 'archiveQuotaExceeded' || news.kind === 'archiveQuotaExpired') {
      const { dataArchiveQuota, dataArchiveUsage } = await this.use.accounts.get(news.owner)
      facts.push(['quota', sizeOf(dataArchiveQuota)], ['usage', sizeOf(dataArchiveUsage)])
    }
    if (news.kind === 'digestsEnding') return this.ofDigests(news)
    if (news.kind === 'webhookPaused') facts.push(['address', news.url])
    if ('expires' in news) {
      const { name, expires } = news
      facts.push(['subscription', name], ['expires', (words) => (expires === 0 ? words.unlimited : timeOf(expires))])
    }
    return { name: news.owner, facts, url: this.use.site.baseUrl, open: 'openService' }
  }

  private ofDigests({ owner, digest, until, documents }: Extract<News, { kind: 'digestsEnding' }>): Told {
    const facts: Told['facts'][number][] = [
      ['owner', owner],
      ['documents', String(documents)],
      ['digest', digest],
      ['digestUntil', timeOf(until)],
    ]
    const of = owner.startsWith('BIN') ? '&of=organization' : ''
    const url = `${this.use.site.baseUrl}/documents?digestsEnding=true${of}`
    return { name: owner, facts, url, open: 'openDocuments' }
  }

  /** The name that an organization shows to signers, if it has set one. */
  private async organization(bin: string): Promise<(words: Words, language: Language) => string> {
    const { tlsCertificatesList } = (await this.use.organizations.choices.get(bin)).choices
    const names = tlsCertificatesList.flatMap(({ settings }) => settings.qrOrganisationName ?? [])[0]
    return (_words, language) => (names === undefined ? bin : `${names[language]} (${bin})`)
  }
}

const WORDS_OF_USERS: ReadonlySet<Label> = new Set(['document', 'package', 'description'])

/** Anonymous callers must not put text into our mails; the recipient finds it behind the link. */
const withoutWords = (told: Told): Told => ({
  ...told,
  name: '',
  from: undefined,
  facts: told.facts.filter(([label]) => !WORDS_OF_USERS.has(label)),
})

/** Names only: mail is not confidential, so identification numbers stay out of it. */
function signedBy({ subjectStructure, businessId }: SignatureFacts): Told['facts'][number][] {
  const value = (oid: string) => subjectStructure.flat().find((one) => one.oid === oid && !one.valueInB64)?.value ?? ''
  const person: Told['facts'][number] = ['signer', value(COMMON_NAME)]
  if (businessId === undefined) return [person]
  return [person, ['organization', [value(ORGANIZATION), `(${businessId})`].join(' ').trim()]]
}

const MEGABYTE = 1_000_000
const sizeOf = (bytes: number) => (_words: Words, language: Language) =>
  `${(bytes / MEGABYTE).toLocaleString(language, { maximumFractionDigits: 1 })} ${terms.megabytes[language]}`
