import { contextConstructed, SEQUENCE, SET } from '../der/fields.js'
import { DerError, encoded } from '../der/reader.js'
import { writeElement, writeOid, writeSetOf } from '../der/writer.js'
import { signatureErrors } from '../errors.js'
import { pem } from '../pem.js'
import type { Attribute } from './attributes.js'
import { writeSignedData } from './content-of-cms.js'
import { cmsOids } from './oids.js'
import { readSignedData, type SignedData } from './signed-data.js'
import type { SignerInfo } from './signer-info.js'

/** Evidence to embed in a CMS: an OCSP response, or CRLs instead. */
export interface ExportedEvidence {
  readonly timeStamp: Uint8Array
  readonly ocsp: Uint8Array | undefined
  readonly crls?: readonly Uint8Array[]
}

/**
 * Adds evidence to a stored CMS as unsigned attributes (signFormat 0): signature time stamp and revocation values
 * (RFC 5126, 6.1.1 and 6.3.4). Everything else stays unchanged, and attributes that are present already are not replaced.
 * Throws `signatureNotParsed` for anything but a stored CMS.
 */
export function exportCms(kept: Uint8Array, evidence: ExportedEvidence): Uint8Array {
  const { signed, signer } = readStored(kept)
  const present = signer.unsignedAttributes?.all ?? []
  const added = [
    ...addition(present, cmsOids.signatureTimeStamp, () => evidence.timeStamp),
    ...addition(present, cmsOids.revocationValues, () => revocationValues(evidence)),
  ]
  if (added.length === 0) return kept
  const attributes = [...present.map(({ element }) => encoded(element)), ...added]
  return writeSignedData(signed.parts, { signerInfos: writeElement(SET, withUnsigned(signer, attributes)) })
}

/** A stored CMS and its signer; throws `signatureNotParsed` for anything else. */
export function readStored(kept: Uint8Array): { readonly signed: SignedData; readonly signer: SignerInfo } {
  try {
    const signed = readSignedData(kept)
    const [signer, another] = signed.signerInfos
    if (signer === undefined || another !== undefined)
      throw signatureErrors.error('signatureNotParsed', { reason: 'notExactlyOneSigner' })
    return { signed, signer }
  } catch (error) {
    if (error instanceof DerError) throw signatureErrors.error('signatureNotParsed', { reason: 'notDer' }, error)
    throw error
  }
}

/** An attribute of one value, unless one of its type is present. */
export function addition(present: readonly Attribute[], oid: string, value: () => Uint8Array): Uint8Array[] {
  if (present.some((attribute) => attribute.oid === oid)) return []
  return [writeElement(SEQUENCE, writeOid(oid), writeElement(SET, value()))]
}

/** RevocationValues ::= SEQUENCE { crlVals [0] SEQUENCE OF CertificateList, ocspVals [1] SEQUENCE OF BasicOCSPResponse, … }. */
const revocationValues = ({ ocsp, crls = [] }: ExportedEvidence): Uint8Array =>
  writeElement(
    SEQUENCE,
    ...(crls.length === 0 ? [] : [writeElement(contextConstructed(0), writeElement(SEQUENCE, ...crls))]),
    ...(ocsp === undefined ? [] : [writeElement(contextConstructed(1), writeElement(SEQUENCE, ocsp))]),
  )

/** A SignerInfo with these unsigned attributes in place of its own. */
export function withUnsigned(
  { element, unsignedAttributes }: SignerInfo,
  attributes: readonly Uint8Array[],
): Uint8Array {
  const end = unsignedAttributes?.element.start ?? element.end
  const before = element.source.subarray(element.content, end)
  return writeElement(SEQUENCE, before, writeSetOf(contextConstructed(1), attributes))
}

/** PEM of a CMS (RFC 7468, 9). */
export const cmsPem = (der: Uint8Array): string => pem('CMS', der)
