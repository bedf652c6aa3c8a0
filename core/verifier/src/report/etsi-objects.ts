import { createHash } from 'node:crypto'
import { digestAlgorithms } from '../algorithms/digest.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import type { ReportedFile } from './file-report.js'
import { element, type Markup } from './markup.js'
import { utc } from './utc.js'

/** Digest and its algorithm (EN 319 132-1), by the URI of XML signatures, or by the OID as a URN where there is none. */
export const digestAlgAndValue = (oid: string, value: Uint8Array): Markup =>
  element(
    'vr:DigestAlgAndValue',
    {},
    element('ds:DigestMethod', { Algorithm: digestUri(oid) }),
    element('ds:DigestValue', {}, base64(value)),
  )

/** Reference to validation objects. */
export const reference = (name: string, id: string): Markup => element(name, { VOReference: id })

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const digestUri = (oid: string): string =>
  digestAlgorithms.find((known) => known.oid === oid)?.xmlUris[0] ?? `urn:oid:${oid}`
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Objects that a validation looked at (TS 119 102-2 clause 4.4): each once, under an identifier made of its bytes. */
export class EtsiObjects {
  private readonly made = new Map<string, Markup>()

  /** In the order of their identifiers, so that the same verdict gives the same bytes. */
  get all(): readonly Markup[] {
    return [...this.made].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, markup]) => markup)
  }

  certificate({ der, fingerprint }: Certificate): string {
    return this.object(`C-${fingerprint}`, 'certificate', element('vr:base64', {}, base64(der)))
  }

  timeStamp(token: Uint8Array, genTime: number): string {
    return this.object(
      `T-${sha256(token).toString('hex')}`,
      'timestamp',
      element('vr:base64', {}, base64(token)),
      element(
        'vr:POE',
        {},
        element('vr:POETime', {}, utc(genTime)),
        element('vr:TypeOfProof', {}, 'urn:etsi:019102:poetype:validation'),
      ),
    )
  }

  ocspAnswer(response: Uint8Array): string {
    const id = `R-${sha256(response).toString('hex')}`
    return this.object(id, 'OCSPResponse', element('vr:base64', {}, base64(response)))
  }

  /** By its digest: a CRL may be as large as a book. */
  crl({ der, fingerprint }: Crl): string {
    return this.object(`L-${fingerprint}`, 'CRL', digestAlgAndValue(SHA_256, sha256(der)))
  }

  /** What was signed, by its digest. */
  signedData(oid: string, value: Uint8Array): string {
    const id = `D-${oid}-${Buffer.from(value).toString('hex')}`
    return this.object(id, 'signedData', digestAlgAndValue(oid, value))
  }

  /** A file that was given, by its digest and its name. */
  file({ name, digests }: ReportedFile): void {
    const [oid, value] = digests.has(SHA_256) ? [SHA_256, digests.get(SHA_256)] : ([...digests][0] ?? [])
    if (oid === undefined || value === undefined) return
    const id = `F-${sha256(Buffer.from(name)).toString('hex')}`
    const uri = element('vr:URI', {}, encodeURIComponent(Buffer.from(name).toString('utf8')))
    this.object(id, 'other', [digestAlgAndValue(oid, value), uri])
  }

  private object(id: string, type: string, representation: Markup | readonly Markup[], poe?: Markup): string {
    this.made.set(
      id,
      element(
        'vr:ValidationObject',
        { id },
        element('vr:ObjectType', {}, `urn:etsi:019102:validationObject:${type}`),
        element('vr:ValidationObjectRepresentation', {}, representation),
        poe,
      ),
    )
    return id
  }
}
