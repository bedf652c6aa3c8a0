import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { integer, type Stored, table, text, word } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { spelling } from '../notifications/index.js'
import { REFUSABLE, type Refusable } from './news.js'

const secrets = table('registry_mail_secrets', { name: text('name'), secret: text('secret') })
const NAME = 'mail'
const SECRET_BYTES = 32
/** Bytes of a recipient's code, and of the MAC in a link. */
const CODE = 16
const PROOF = 10

/** What an unsubscribe link says. */
export interface RefusalLink {
  /** Code of the recipient. */
  readonly recipient: string
  readonly kind: Refusable
}

/** Makes pseudonyms of addresses, unsubscribe tokens and Message-IDs; all hosts share one secret. */
export class MailKeys {
  static readonly inject = { database: Database, site: Site }
  private secret: Promise<string> | undefined

  constructor(private readonly use: Injected<typeof MailKeys.inject>) {}

  /** The code of an address, the same for every spelling of it. */
  async recipient(address: string): Promise<string> {
    return (await this.code(`recipient ${spelling(address)}`, CODE)).toString('base64url')
  }

  /** The token of the link that unsubscribes an address from one kind of mail. */
  async token(address: string, kind: Refusable): Promise<string> {
    const named = Buffer.concat([
      Buffer.from(await this.recipient(address), 'base64url'),
      Buffer.from([REFUSABLE.indexOf(kind)]),
    ])
    return Buffer.concat([named, await this.proof(named)]).toString('base64url')
  }

  /** Reads a token; `undefined` for one that this registry did not make. */
  async read(token: string): Promise<RefusalLink | undefined> {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.length !== CODE + 1 + PROOF || bytes.toString('base64url') !== token) return undefined
    const named = bytes.subarray(0, CODE + 1)
    const kind = REFUSABLE[bytes[CODE] ?? REFUSABLE.length]
    if (kind === undefined || !timingSafeEqual(bytes.subarray(CODE + 1), await this.proof(named))) return undefined
    return { recipient: named.subarray(0, CODE).toString('base64url'), kind }
  }

  /** The Message-ID of the mail to an address about an event, the same for every attempt. */
  async messageId(eventId: string, address: string): Promise<string> {
    const code = (await this.code(`message ${eventId} ${spelling(address)}`, CODE)).toString('base64url')
    return `<${eventId}.${code}@${hostOf(this.use.site)}>`
  }

  /** True for the Message-ID of a mail to this address; it cannot be forged. */
  async isMessageTo(messageId: string, address: string): Promise<boolean> {
    const eventId = /^<([A-Za-z0-9]{1,64})\./.exec(messageId)?.[1]
    if (eventId === undefined) return false
    const ours = Buffer.from(await this.messageId(eventId, address))
    const given = Buffer.from(messageId)
    return ours.length === given.length && timingSafeEqual(ours, given)
  }

  private async proof(named: Uint8Array): Promise<Buffer> {
    return this.code(`link ${Buffer.from(named).toString('hex')}`, PROOF)
  }

  private async code(text: string, bytes: number): Promise<Buffer> {
    this.secret ??= this.keptSecret().catch((error: unknown) => {
      this.secret = undefined
      throw error
    })
    return createHmac('sha256', await this.secret)
      .update(text)
      .digest()
      .subarray(0, bytes)
  }

  /** Created on first use. */
  private async keptSecret(): Promise<string> {
    const find = () => this.use.database.query(secrets.name).where({ name: NAME }).first(secrets.columns)
    const known: Record<string, unknown> | undefined = await find()
    if (known !== undefined) return secrets.read(known).secret
    const fresh = secrets.row({ name: NAME, secret: randomBytes(SECRET_BYTES).toString('base64url') })
    await insertOrLose(this.use.database.query(secrets.name).insert(fresh))
    return secrets.read(await find()).secret
  }
}

/** Mail servers check the host: IP addresses stand in brackets (RFC 5322 section 3.6.4). */
const hostOf = ({ baseUrl }: Site): string => {
  const { hostname } = new URL(baseUrl)
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname
}

const refusals = table('registry_mail_refusals', {
  recipient: text('recipient'),
  kind: word('kind', REFUSABLE),
  refusedAt: integer('refused_at'),
})
const bounces = table('registry_mail_bounces', {
  recipient: text('recipient'),
  bouncedAt: integer('bounced_at'),
  reason: text('reason'),
})
/** Why an address gets no more mail. */
export type Bounce = Omit<Stored<typeof bounces>, 'recipient'>

const MAX_REASON = 500

/** Keeps, by recipient code, who unsubscribed from what and which addresses bounced. */
export class RecipientStore {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof RecipientStore.inject>) {}

  async refuse(recipient: string, kind: Refusable): Promise<void> {
    const row = refusals.row({ recipient, kind, refusedAt: this.use.clock.now() })
    await insertOrLose(this.use.database.query(refusals.name).insert(row))
  }

  /** Subscribes again to one kind or to all. */
  async accept(recipient: string, kind?: Refusable): Promise<void> {
    const where = { recipient, ...(kind && { kind }) }
    await this.use.database.query(refusals.name).where(where).delete()
  }

  async refusedKinds(recipient: string): Promise<Refusable[]> {
    const rows: Record<string, unknown>[] = await this.use.database
      .query(refusals.name)
      .where({ recipient })
      .orderBy('kind')
      .select(refusals.columns)
    return rows.map((row) => refusals.read(row).kind)
  }

  /** Records that an address does not exist. */
  async bounced(recipient: string, reason: string): Promise<void> {
    const row = bounces.row({ recipient, bouncedAt: this.use.clock.now(), reason: reason.slice(0, MAX_REASON) })
    await insertOrLose(this.use.database.query(bounces.name).insert(row))
  }

  async bounceOf(recipient: string): Promise<Bounce | undefined> {
    const row: Record<string, unknown> | undefined = await this.use.database
      .query(bounces.name)
      .where({ recipient })
      .first(bounces.columns)
    return row && bounces.read(row)
  }

  /** Allows mail to a bounced address again. */
  async forgetBounce(recipient: string): Promise<void> {
    await this.use.database.query(bounces.name).where({ recipient }).delete()
  }
}
