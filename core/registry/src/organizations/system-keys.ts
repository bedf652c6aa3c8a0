import type { Knex } from 'knex'
import { Database } from '../database/database.js'
import { bytes, flag, integer, optional, type Stored, table, text } from '../database/table.js'
import type { System } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { RegistryError } from '../kernel/error.js'
import type { Injected } from '../kernel/service.js'
import { Certificate, isNotDer, readIdentity } from '../signatures/index.js'
import type { ClientCertificates } from './client-certificates.js'
import { organizationErrors } from './errors.js'
import type { ClientCertificate } from './schema.js'
import { keyDigest } from './tls-certificate.js'

const keysTable = table('registry_system_keys', {
  keyDigest: bytes('key_digest'),
  bin: text('bin'),
  /** In `tlsCertificatesList`. */
  position: integer('position'),
  disabled: flag('disabled'),
  /** SHA-256 of the listed certificate; absent, like `byKey`, in rows from before these columns. */
  certificateDigest: optional(bytes('certificate_digest')),
  /** Whether any certificate of the key is accepted. */
  byKey: optional(flag('by_key')),
  provedAt: optional(integer('proved_at')),
})
type ListedKey = Stored<typeof keysTable>

/**
 * Keeps which organizations list which certificates of information systems, by public key. Anybody may list any certificate,
 * so a key is pending for an organization until its holder has proved it.
 */
export class SystemKeys {
  static readonly inject = { database: Database, clock: Clock }

  constructor(private readonly use: Injected<typeof SystemKeys.inject>) {}

  /**
   * Identifies the information system of a TLS client certificate: that of the organization that lists this certificate, or
   * its key with `byKey` (specification, "Mutual TLS"). Call it for each request: certificates can be disabled at any time.
   * Being listed proves nothing: the holder names the organization by `confirm`, or by the subject of the certificate.
   * Rejects with `tlsCertificateNotListed`, `tlsCertificateDisabled` or `tlsCertificatePending`.
   */
  async identify(certificateDer: Uint8Array): Promise<System> {
    const certificate = parse(certificateDer)
    const listed = await this.listed(certificate)
    const proved = listed.find(({ provedAt }) => provedAt !== undefined)
    const named = organizationNamed(certificate)
    const key = proved ?? listed.find(({ bin }) => bin === named)
    if (key?.disabled ?? listed.every(({ disabled }) => disabled))
      throw organizationErrors.error('tlsCertificateDisabled')
    if (key === undefined) throw organizationErrors.error('tlsCertificatePending')
    if (proved === undefined) await this.prove(key)
    return systemOf(key, certificate)
  }

  /**
   * Binds a certificate to one organization that lists it: its holder, who has proved possession of the key by TLS, names the
   * organization. Rejects with `tlsCertificateNotListed` or `tlsCertificateDisabled`.
   */
  async confirm(certificateDer: Uint8Array, bin: string): Promise<System> {
    const certificate = parse(certificateDer)
    return this.use.database.transaction(async () => {
      const listed = await this.listed(certificate)
      const key = listed.find((one) => one.bin === bin)
      if (key === undefined) throw organizationErrors.error('tlsCertificateNotListed')
      if (key.disabled) throw organizationErrors.error('tlsCertificateDisabled')
      const { keyDigest } = key
      const bins = listed.map((one) => one.bin)
      await this.rows()
        .where(keysTable.row({ keyDigest }))
        .whereIn('bin', bins)
        .update(keysTable.row({ provedAt: undefined }))
      await this.prove(key)
      return systemOf(key, certificate)
    })
  }

  /** Key digests of an organization, hexadecimal, in the order of its list. */
  async ofOrganization(bin: string): Promise<string[]> {
    const digests: Buffer[] = await this.rows().where({ bin }).orderBy('position').pluck('key_digest')
    return digests.map((digest) => digest.toString('hex'))
  }

  /** Positions in an organization's list whose keys have not been proved for it. */
  async pending(bin: string): Promise<ReadonlySet<number>> {
    return new Set(await this.rows().where({ bin }).whereNull('proved_at').pluck('position'))
  }

  /**
   * Replaces the list of an organization, whose row must be locked. A key that stays listed stays proved, unless it is bound
   * to another organization.
   */
  async replace(
    bin: string,
    { keys, fingerprints }: Pick<ClientCertificates, 'keys' | 'fingerprints'>,
    list: readonly ClientCertificate[],
  ): Promise<void> {
    const listed = list.map(({ disabled, byKey }, position): ListedKey => {
      const [key = '', fingerprint = ''] = [keys[position], fingerprints[position]]
      const digests = { keyDigest: Buffer.from(key, 'hex'), certificateDigest: Buffer.from(fingerprint, 'hex') }
      return { ...digests, bin, position, disabled, byKey, provedAt: undefined }
    })
    const before = await this.read((rows) => rows.where({ bin }))
    const proved = await this.read((rows) =>
      rows
        .whereIn(
          'key_digest',
          listed.map((one) => one.keyDigest),
        )
        .whereNot({ bin })
        .whereNotNull('proved_at'),
    )
    await this.rows().where({ bin }).delete()
    if (listed.length === 0) return
    await this.rows().insert(
      listed.map((one) => {
        const isTaken = proved.some((other) => actsAs(other, one))
        const kept = isTaken ? undefined : before.find(({ keyDigest }) => isSame(keyDigest, one.keyDigest))
        return keysTable.row({ ...one, provedAt: kept?.provedAt })
      }),
    )
  }

  /** Entries for a certificate: first those that list this very certificate, then those that list its key with `byKey`. */
  private async listed(certificate: Certificate): Promise<ListedKey[]> {
    const ofKey = await this.read((rows) => rows.where(keysTable.row({ keyDigest: keyDigest(certificate) })))
    const digest = Buffer.from(certificate.fingerprint, 'hex')
    const isExact = ({ certificateDigest }: ListedKey) => isSame(certificateDigest, digest)
    const exact = ofKey.filter(isExact)
    const byKey = ofKey.filter((one) => !isExact(one) && isByKey(one))
    if (exact.length + byKey.length > 0) return [...exact, ...byKey]
    throw organizationErrors.error('tlsCertificateNotListed', ofKey.length > 0 ? { reason: 'otherCertificate' } : {})
  }

  private async prove({ keyDigest, bin }: ListedKey): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.rows()
        .where(keysTable.row({ keyDigest, bin }))
        .update(keysTable.row({ provedAt: this.use.clock.now() }))
    })
  }

  private async read(which: (rows: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<ListedKey[]> {
    const rows: Record<string, unknown>[] = await which(this.rows()).select(...keysTable.columns)
    return rows.map((row) => keysTable.read(row))
  }

  private rows(): Knex.QueryBuilder {
    return this.use.database.query(keysTable.name)
  }
}

const isByKey = ({ byKey }: ListedKey): boolean => byKey ?? true

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other !== undefined && Buffer.compare(one, other) === 0

/** True where two entries accept the same certificate with equal precedence. */
const actsAs = (one: ListedKey, other: ListedKey): boolean =>
  isSame(one.keyDigest, other.keyDigest) &&
  (isSame(one.certificateDigest, other.certificateDigest) || (isByKey(one) && isByKey(other)))

const systemOf = ({ bin, position }: ListedKey, certificate: Certificate): System => ({
  kind: 'system',
  bin,
  certificateIndex: position,
  certificate: Buffer.from(certificate.der).toString('base64'),
  certificateDigest: certificate.fingerprint,
})

/** The organization in the subject of a certificate. */
function organizationNamed(certificate: Certificate): string | undefined {
  try {
    return readIdentity(certificate).businessId
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}

function parse(der: Uint8Array): Certificate {
  try {
    return Certificate.parse(der)
  } catch (error) {
    if (!isNotDer(error)) throw error
    throw organizationErrors.error('tlsCertificateNotListed', { reason: 'notParsed' }, error)
  }
}
