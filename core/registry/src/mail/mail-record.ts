import Type, { type Static } from 'typebox'
import { Deliveries, type Delivery } from '../deliveries/index.js'
import { PackageRules } from '../documents/index.js'
import {
  assertAuthenticated,
  type Caller,
  type OrganizationRight,
  OrganizationRights,
  ownerOf,
} from '../identity/index.js'
import { Limits } from '../kernel/limits.js'
import type { Injected } from '../kernel/service.js'
import { attachedBy } from './attachments.js'
import type { MailNote } from './mail-channel.js'
import { MAIL_CHANNEL } from './mail-channel.js'
import { MISSING } from './missing-originals.js'
import type { MailPayload, News } from './news.js'
import { type Asker, STRANGER } from './notices.js'

/** States of a mail. */
export const MAIL_STATES = ['waiting', 'sent', 'refused', 'withheld', 'failed'] as const

/** A mail that somebody asked for, and what became of it. */
export const NotificationRecord = Type.Object(
  {
    notificationId: Type.String(),
    to: Type.String({ description: 'the address' }),
    type: Type.Integer({ description: 'number of the type of mail in the specification: 1, 2, 6 or 7' }),
    state: Type.Enum(MAIL_STATES, {
      description:
        '`sent`: the mail server took it; `refused`: the mail server refused it for good; `withheld`: it was not given to the mail server, since the recipient wants no such mail or gets too many; `failed`: given up',
    }),
    createdAt: Type.Integer(),
    sentAt: Type.Optional(Type.Integer()),
    nextAttemptAt: Type.Optional(Type.Integer()),
    code: Type.Optional(Type.Integer({ description: 'reply of the mail server to the last attempt that it refused' })),
    mailboxNotFound: Type.Optional(Type.Boolean({ description: 'the address does not exist' })),
    attached: Type.Integer({ description: 'originals that went along' }),
    notAttached: Type.Array(Type.Object({ documentId: Type.String(), reason: Type.Enum(MISSING) }), {
      description: 'originals that were asked for and did not go along',
    }),
  },
  { $id: 'NotificationRecord' },
)
export type NotificationRecord = Static<typeof NotificationRecord>

/** Whose mails a record shows. */
interface Reader {
  /** The package that a secret may be of. */
  readonly packageId: string | undefined
  readonly dataSecret: string | undefined
  /** The right by which employees see what the systems of their organization asked for. */
  readonly right: OrganizationRight
  /** Rejects for a caller who may not view the document or package. */
  assertMayView(): Promise<void>
}

/** Shows mails about a document or a package only to those who asked for them, since addresses are private. */
export class MailRecord {
  static readonly inject = {
    deliveries: Deliveries,
    packages: PackageRules,
    rights: OrganizationRights,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof MailRecord.inject>) {}

  /** Newest first; a page never splits the mails of one millisecond. */
  async page(owner: string, askedBy: readonly Asker[], until: number | undefined): Promise<NotificationRecord[]> {
    const page = await this.use.deliveries.page(
      { owner, channel: MAIL_CHANNEL, askedBy, until },
      this.use.limits.itemsPerPage,
    )
    return page.map(shown)
  }

  /**
   * Whose mails a reader may see: a stranger's where the reader knows the package's secret; else their own, and those of their
   * organization's systems. Rejects with `authenticationRequired`, and as `assertMayView`.
   */
  async askersOf(caller: Caller, { packageId, dataSecret, right, assertMayView }: Reader): Promise<Asker[]> {
    const hasSecret = packageId !== undefined && dataSecret !== undefined
    if (hasSecret && (await this.use.packages.knowsSecret(packageId, dataSecret))) return [STRANGER]
    assertAuthenticated(caller)
    await assertMayView()
    const own = ownerOf(caller)
    const isColleague = caller.kind === 'employee' && (await this.use.rights.allow(caller, caller.bin, right))
    return isColleague ? [own, caller.bin] : [own]
  }
}

/** Query of the lists of mails. */
export const MailRecordQuery = Type.Object({
  until: Type.Optional(Type.Integer({ minimum: 0, description: '`createdAt` of the last one, to read on' })),
  dataSecret: Type.Optional(
    Type.String({ description: 'what POST /api/package answered, where nobody was authenticated' }),
  ),
})

const TYPES: Readonly<Partial<Record<News['kind'], number>>> = {
  documentSigned: 1,
  signatureAdded: 2,
  packageSigned: 2,
  documentPreregistered: 6,
  packageRegistered: 7,
}

function shown({ id, createdAt, state, nextAt, lastAt, payload, note }: Delivery): NotificationRecord {
  // The channel wrote both.
  const { to, news } = payload as MailPayload
  const { code, isNoMailbox, missing = [], ...noted } = (note ?? {}) as MailNote
  const is = stateOf(state, { ...noted, code, isNoMailbox })
  return {
    ...{ notificationId: id, to, type: TYPES[news.kind] ?? 0, state: is, createdAt },
    ...(is === 'sent' && lastAt !== undefined && { sentAt: lastAt }),
    ...(is === 'waiting' && { nextAttemptAt: nextAt }),
    ...(code !== undefined && { code }),
    ...(isNoMailbox && { mailboxNotFound: true }),
    attached: is === 'sent' ? attachedBy(news).length - missing.length : 0,
    notAttached: [...missing],
  }
}

function stateOf(
  state: Delivery['state'],
  { isWithheld, isNoMailbox, code = 0 }: { [K in keyof MailNote]: MailNote[K] | undefined },
): NotificationRecord['state'] {
  if (state === 'waiting' || state === 'sending') return 'waiting'
  if (isWithheld) return 'withheld'
  if (state === 'delivered') return 'sent'
  return isNoMailbox || code >= 500 ? 'refused' : 'failed'
}
