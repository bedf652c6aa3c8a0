import { createHash } from 'node:crypto'
import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { integer, optional, type Stored, table, text } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationStore } from '../organizations/index.js'
import { webhookErrors } from './errors.js'
import { newWebhookSecret } from './sign-webhook.js'

const webhooksTable = table('registry_webhooks', {
  id: text('id'),
  bin: text('bin'),
  url: text('url'),
  urlDigest: text('url_digest'),
  secret: text('secret'),
  previousSecret: optional(text('previous_secret')),
  /** Milliseconds, like all times. */
  previousSecretUntil: optional(integer('previous_secret_until')),
  createdAt: integer('created_at'),
  failingSince: optional(integer('failing_since')),
  pausedAt: optional(integer('paused_at')),
})
/** A webhook address of an organization, with its secrets and health. */
export type WebhookRecord = Stored<typeof webhooksTable>

/** How long the previous secret stays valid after a rotation. */
const PREVIOUS_SECRET_MS = 24 * 60 * 60 * 1000

const digestOf = (url: string): string => createHash('sha256').update(url).digest('hex')

/** For every webhook that is sent, so it shares packets with the reads of others. */
const FIND = `select ${webhooksTable.columns.join(', ')} from registry_webhooks where id = ?`

/** Stores the webhooks of organizations. An address that is removed and added again keeps its secret. */
export class WebhookStore {
  static readonly inject = { database: Database, organizations: OrganizationStore, clock: Clock }

  constructor(private readonly use: Injected<typeof WebhookStore.inject>) {}

  /** The records of addresses in their order, created for new ones. */
  async ensure(addresses: readonly { readonly bin: string; readonly url: string }[]): Promise<WebhookRecord[]> {
    if (addresses.length === 0) return []
    const find = async () => {
      const rows: Record<string, unknown>[] = await this.webhooks()
        .whereIn('bin', [...new Set(addresses.map(({ bin }) => bin))])
        .whereIn('url_digest', [...new Set(addresses.map(({ url }) => digestOf(url)))])
        .select(webhooksTable.columns)
      return new Map(rows.map((row) => [`${row.bin} ${row.url_digest}`, webhooksTable.read(row)]))
    }
    let known = await find()
    const isNew = ({ bin, url }: { bin: string; url: string }) => !known.has(`${bin} ${digestOf(url)}`)
    const added = addresses.filter(isNew)
    for (const { bin, url } of added) {
      const fresh = { id: newId(), bin, url, urlDigest: digestOf(url), secret: newWebhookSecret() }
      await insertOrLose(this.webhooks().insert(webhooksTable.row({ ...fresh, createdAt: this.use.clock.now() })))
    }
    if (added.length > 0) known = await find()
    return addresses.flatMap(({ bin, url }) => known.get(`${bin} ${digestOf(url)}`) ?? [])
  }

  async find(id: string): Promise<WebhookRecord | undefined> {
    const [row] = await this.use.database.rows(FIND, [id])
    return row && webhooksTable.read(row)
  }

  /** True while the organization has the address in its settings. */
  async isInUse({ bin, url }: WebhookRecord): Promise<boolean> {
    const webhooks = (await this.use.organizations.webhooksOf([bin])).get(bin)
    return webhooks !== undefined && [...webhooks.urls, ...webhooks.routingUrls].includes(url)
  }

  /** An address in the settings of an organization. Rejects with `webhookNotFound`. */
  async get(bin: string, id: string): Promise<WebhookRecord> {
    const found = await this.find(id)
    if (found?.bin !== bin || !(await this.isInUse(found))) throw webhookErrors.error('webhookNotFound')
    return found
  }

  /** Gives an address a new secret; the previous one stays valid for a day. */
  async rotateSecret({ id }: WebhookRecord): Promise<{ secret: string; previousSecretUntil: number }> {
    const secret = newWebhookSecret()
    const previousSecretUntil = this.use.clock.now() + PREVIOUS_SECRET_MS
    await this.use.database.transaction(async () => {
      const { secret: previousSecret }: { secret: string } = await this.webhooks()
        .where({ id })
        .forUpdate()
        .first('secret')
      await this.webhooks().where({ id }).update(webhooksTable.row({ secret, previousSecret, previousSecretUntil }))
    })
    return { secret, previousSecretUntil }
  }

  /** Secrets that are valid now. */
  secretsOf({ secret, previousSecret, previousSecretUntil = 0 }: WebhookRecord): string[] {
    const previous = previousSecret !== undefined && this.use.clock.now() < previousSecretUntil ? [previousSecret] : []
    return [secret, ...previous]
  }

  /** Records a success. */
  async markWorking({ id }: WebhookRecord): Promise<void> {
    await this.webhooks()
      .where({ id })
      .update(webhooksTable.row({ failingSince: undefined, pausedAt: undefined }))
  }

  /** Records a failure; answers since when deliveries have been failing. */
  async markFailing({ id, failingSince }: WebhookRecord): Promise<number> {
    if (failingSince !== undefined) return failingSince
    const now = this.use.clock.now()
    await this.webhooks().where({ id }).whereNull('failing_since').update({ failing_since: now })
    return now
  }

  /** Pauses an address; false when it was paused already. */
  async pause({ id }: WebhookRecord): Promise<boolean> {
    return (
      (await this.webhooks().where({ id }).whereNull('paused_at').update({ paused_at: this.use.clock.now() })) === 1
    )
  }

  private webhooks() {
    return this.use.database.query(webhooksTable.name)
  }
}
