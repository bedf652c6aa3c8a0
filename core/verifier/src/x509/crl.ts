import { createHash } from 'node:crypto'
import { type AlgorithmIdentifier, readAlgorithmIdentifier, sameAlgorithm } from '../algorithms/algorithm-identifier.js'
import { contextConstructed, fieldsOf, GENERALIZED_TIME, INTEGER, SEQUENCE, UTC_TIME } from '../der/fields.js'
import { readBigInteger, readSmallInteger } from '../der/integer.js'
import { type DerElement, DerError, readDer } from '../der/reader.js'
import { readTime } from '../der/time.js'
import { readAuthorityKeyIdentifier } from './authority.js'
import { CrlEntries } from './crl-entries.js'
import { type IssuingDistributionPoint, readIssuingDistributionPoint } from './distribution-points.js'
import { extensionOids as oids } from './extension-oids.js'
import { type ExtensionTable, noExtensions, readExtensionTable } from './extension-table.js'
import { Name } from './name.js'
import { readSigned } from './signed.js'

const processed: ReadonlySet<string> = new Set([
  oids.crlNumber,
  oids.deltaCrlIndicator,
  oids.issuingDistributionPoint,
  oids.authorityKeyIdentifier,
])

/** A view of a certificate revocation list (RFC 5280 section 5.1): nothing is copied and nothing in it is trusted. */
export class Crl {
  readonly der: Uint8Array
  /** TBSCertList, DER. */
  readonly tbs: Uint8Array
  readonly issuer: Name
  /** Milliseconds since the epoch. */
  readonly thisUpdate: number
  readonly nextUpdate: number | undefined
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
  readonly entries: CrlEntries
  readonly extensions: ExtensionTable
  readonly number: bigint | undefined
  /** BaseCRLNumber of a delta CRL; undefined for a complete CRL. */
  readonly baseNumber: bigint | undefined
  readonly scope: IssuingDistributionPoint | undefined
  readonly keyIdentifier: Uint8Array | undefined
  private digest: string | undefined

  private constructor(element: DerElement) {
    const { der, tbs, signed, signatureAlgorithm, signature } = readSigned(element)
    this.signatureAlgorithm = signatureAlgorithm
    this.signature = signature
    this.der = der
    this.tbs = tbs

    const fields = fieldsOf(signed)
    const version = fields.takeIf(INTEGER)
    if (version !== undefined && readSmallInteger(version) !== 1) throw new DerError('CRL version is unknown')
    // The Kazakh authority writes NULL parameters outside and none inside.
    if (!sameAlgorithm(readAlgorithmIdentifier(fields.take(SEQUENCE)), this.signatureAlgorithm))
      throw new DerError('signature algorithms differ')
    this.issuer = Name.read(fields.take(SEQUENCE))
    this.thisUpdate = readTime(fields.any())
    const next = fields.takeIf(UTC_TIME) ?? fields.takeIf(GENERALIZED_TIME)
    this.nextUpdate = next && readTime(next)
    this.entries = new CrlEntries(fields.takeIf(SEQUENCE), this.issuer)
    const extensions = fields.explicit(contextConstructed(0))
    fields.finish()
    if (extensions !== undefined && version === undefined) throw new DerError('CRL extensions need version 2')
    this.extensions = extensions === undefined ? noExtensions : readExtensionTable(extensions)
    this.number = this.read(oids.crlNumber, readBigInteger)
    this.baseNumber = this.read(oids.deltaCrlIndicator, readBigInteger)
    this.scope = this.read(oids.issuingDistributionPoint, readIssuingDistributionPoint)
    this.keyIdentifier = this.read(oids.authorityKeyIdentifier, readAuthorityKeyIdentifier)?.keyIdentifier
  }

  /** Reads a CRL; its entries are read when first looked up. Throws DerError. */
  static parse(der: Uint8Array): Crl {
    return new Crl(readDer(der))
  }

  /** SHA-256 of the encoding, in lower-case hexadecimal. */
  get fingerprint(): string {
    this.digest ??= createHash('sha256').update(this.der).digest('hex')
    return this.digest
  }

  /** True when a critical extension is not known here: the CRL must not be used then. */
  get hasUnknownCriticalExtension(): boolean {
    return [...this.extensions.values()].some(({ oid, critical }) => critical && !processed.has(oid))
  }

  private read<T>(oid: string, parse: (value: DerElement) => T): T | undefined {
    const extension = this.extensions.get(oid)
    return extension && parse(readDer(extension.value))
  }
}
