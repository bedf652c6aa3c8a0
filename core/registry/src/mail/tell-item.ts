import { DocumentStore } from '../documents/index.js'
import type { Subject } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { documentPage, itemPage, packagePage, Site } from '../kernel/site.js'
import { PackageStore } from '../packages/index.js'
import { PartyNames } from '../parties/index.js'
import { CommentStore, ItemSigning, ItemStore, type StoredItem } from '../routing/index.js'
import type { News, NewsKind } from './news.js'
import type { Language } from './render-mail.js'
import type { Label, Words } from './words-en.js'

/** What a mail tells, in any language. */
export interface Told {
  /** What it says in place of the news. */
  readonly kind?: NewsKind
  /** Title of what it is about. */
  readonly name: string
  readonly facts: readonly (readonly [Label, string | ((words: Words, language: Language) => string)])[]
  readonly url: string
  /** BIN of the organization that it comes from, where the mail names it anyway. */
  readonly from?: string | undefined
  readonly open:
    | 'openDocument'
    | 'openDocuments'
    | 'openPackage'
    | 'openService'
    | 'openItem'
    | 'readAndDecide'
    | 'readAndSign'
}

export const named = (title: string) => (words: Words) => title || words.untitled

/** Kazakhstan has one time zone. */
const UTC_OFFSET_HOURS = 5
const HOUR = 60 * 60 * 1000

const two = (number: number): string => String(number).padStart(2, '0')

/** A time with its zone, such as `24.11.2026 18:00 (UTC+5)`. */
export function timeOf(at: number): string {
  const local = new Date(at + UTC_OFFSET_HOURS * HOUR)
  const day = [two(local.getUTCDate()), two(local.getUTCMonth() + 1), local.getUTCFullYear()].join('.')
  return `${day} ${two(local.getUTCHours())}:${two(local.getUTCMinutes())} (UTC+${UTC_OFFSET_HOURS})`
}

type ItemNews = Extract<News, { itemId: string }>
type TurnNews = Extract<News, { kind: 'signerTurn' }>
type Fact = Told['facts'][number]

const ASKING: ReadonlySet<string> = new Set(['itemReceived', 'itemToSign', 'itemReminded'])
const DECIDED: ReadonlySet<string> = new Set(['itemAccepted', 'itemDenied'])

/** Tells what mails say of items and of whose turn it is: who, what for, with which words, until when. */
export class TellItem {
  static readonly inject = {
    items: ItemStore,
    comments: CommentStore,
    signing: ItemSigning,
    names: PartyNames,
    documents: DocumentStore,
    packages: PackageStore,
    site: Site,
  }

  constructor(private readonly use: Injected<typeof TellItem.inject>) {}

  async ofItem(news: ItemNews): Promise<Told> {
    const { subject, side, itemId, party } = news
    const item = await this.use.items.get(itemId)
    // The mail may have waited for its server: what was recalled meanwhile asks for nothing any more.
    const isLate = item.failure === 'recalled' && ASKING.has(news.kind)
    const kind = isLate ? 'itemRecalled' : news.kind
    const comment = isLate || news.comment === 0 ? undefined : await this.use.comments.nth(itemId, news.comment)
    const madeBy = (side === 'incoming' && kind !== 'itemCommented' ? item.madeBy : comment?.madeBy) ?? ''
    const names = await this.use.names.of([party, madeBy])
    const about = await this.about(subject)
    // A person's name is told once they have acted: an item that failed has not reached them.
    const name = kind === 'itemFailed' && party.startsWith('IIN') ? undefined : names.get(party)
    const isOfEmployee = party.startsWith('BIN') && madeBy.startsWith('IIN')
    const facts: Fact[] = [
      ...about.facts.slice(0, isLate ? 1 : undefined),
      [side === 'incoming' ? 'sender' : 'receiver', nameOf(party, name)],
      ...(isOfEmployee ? [['employee', names.get(madeBy) ?? ''] satisfies Fact] : []),
      [DECIDED.has(kind) ? 'reason' : 'message', comment?.value ?? ''],
      ...(kind === 'itemAccepted' ? [await this.signature(item)] : []),
      ...(side === 'incoming' && item.deadline !== undefined && kind !== 'itemRecalled'
        ? [['deadline', timeOf(item.deadline)] satisfies Fact]
        : []),
      ['identifier', itemId],
    ]
    return {
      ...(isLate && { kind }),
      name: about.title,
      facts,
      url: itemPage(this.use.site, side, itemId),
      open: openOf(kind, item),
      from: side === 'incoming' && party.startsWith('BIN') ? party : undefined,
    }
  }

  async ofTurn({ subject }: TurnNews): Promise<Told> {
    const about = await this.about(subject)
    return {
      name: about.title,
      facts: [...about.facts, ['deadline', about.signUntil], ['identifier', about.id]],
      url: `${about.url}/sign`,
      open: 'readAndSign',
    }
  }

  private async about(subject: Subject) {
    if (subject.documentId === undefined) {
      const { id, title, description } = await this.use.packages.get(subject.packageId)
      const facts: Fact[] = [
        ['package', named(title)],
        ['description', description],
      ]
      return { id, title, facts, url: packagePage(this.use.site, id), signUntil: '' }
    }
    const { id, title, description, settings } = await this.use.documents.get(subject.documentId)
    const facts: Fact[] = [
      ['document', named(title)],
      ['description', description],
    ]
    const signUntil = settings.signUntil === undefined ? '' : timeOf(settings.signUntil)
    return { id, title, facts, url: documentPage(this.use.site, id), signUntil }
  }

  /** Accepted is not signed: both sides have to see which it is. */
  private async signature(item: StoredItem): Promise<Fact> {
    const signedAt = await this.use.signing.signedAt(item)
    return ['signature', (words) => (signedAt === undefined ? words.acceptedUnsigned : timeOf(signedAt))]
  }
}

/** An organization by its name and BIN; a person by name alone, since mail is not confidential. */
const nameOf = (party: string, name: string | undefined): string =>
  name === undefined ? party : party.startsWith('BIN') ? `${name} (${party})` : name

function openOf(kind: ItemNews['kind'], { toSign }: StoredItem): Told['open'] {
  if (kind === 'itemReceived' || kind === 'itemToSign' || kind === 'itemReminded')
    return toSign ? 'readAndSign' : 'readAndDecide'
  return 'openItem'
}
