import { contextConstructed, SET } from '../der/fields.js'
import { encoded } from '../der/reader.js'
import { writeSetOf, writeUnsigned } from '../der/writer.js'
import { inDer } from './attributes.js'
import { writeSignedData } from './content-of-cms.js'
import { distinct, elementsOf } from './elements.js'
import { embeddedValues, isPlaced } from './embedded-values.js'
import { addition, type ExportedEvidence, readStored, withUnsigned } from './export-cms.js'
import { archiveOids, cmsOids } from './oids.js'
import { OTHER_REVOCATION_INFO, writeOcspInfo } from './revocation-info.js'
import { MAX_CERTIFICATES, MAX_CRLS } from './signed-data.js'
import { identifies } from './signer-info.js'

/** Evidence to embed in a CMS for the long term. */
export interface LongTermEvidence extends ExportedEvidence {
  /** Certificates between signer or authorities and their anchors that the signature does not carry, DER. */
  readonly certificates?: readonly Uint8Array[]
}

/**
 * Writes a stored CMS as CAdES baseline B-LT (signFormat 2; EN 319 122-1, 6.3), as complete as its evidence: certificates, OCSP
 * answers and CRLs go into SignedData, those of certificate-values and revocation-values too; beside an archive time stamp only
 * what is missing is added. Written again it is the same. Throws `signatureNotParsed` for anything but a stored CMS.
 */
export function longTermCms(kept: Uint8Array, evidence: LongTermEvidence): Uint8Array {
  const { signed, signer } = readStored(kept)
  const { parts } = signed
  const attributes = signer.unsignedAttributes?.all ?? []
  const isArchived = attributes.some(({ oid }) => archiveOids.has(oid))
  const place = isArchived ? addMissing : placeAll
  const embedded = embeddedValues(attributes)
  const own = signed.certificates.filter((certificate) => identifies(signer.sid, certificate)).map(({ der }) => der)
  const certificates = place({
    present: elementsOf(parts.certificates),
    registered: [...own, ...(evidence.certificates ?? [])],
    embedded: embedded.certificates,
    limit: MAX_CERTIFICATES,
  })
  const revocations = place({
    present: elementsOf(parts.crls),
    registered: [...(evidence.ocsp === undefined ? [] : [writeOcspInfo(evidence.ocsp)]), ...(evidence.crls ?? [])],
    embedded: embedded.revocations,
    limit: MAX_CRLS,
  })
  const stamp = addition(attributes, cmsOids.signatureTimeStamp, () => evidence.timeStamp)
  const staying = isArchived
    ? attributes.map(({ element }) => encoded(element))
    : attributes.filter((attribute) => !isPlaced(attribute)).map(inDer)
  const isTouched = !isArchived || stamp.length > 0
  return writeSignedData(parts, {
    version: revocations?.some(isOther) ? writeUnsigned(Uint8Array.of(5)) : undefined,
    digestAlgorithms: isArchived ? undefined : writeSetOf(SET, elementsOf(parts.digestAlgorithms)),
    certificates: certificates && writeSetOf(contextConstructed(0), certificates),
    crls: revocations && writeSetOf(contextConstructed(1), revocations),
    signerInfos: isTouched ? writeSetOf(SET, [withUnsigned(signer, [...staying, ...stamp])]) : undefined,
  })
}

/** Elements for one set of SignedData, by where they come from. */
interface Sources {
  readonly present: readonly Uint8Array[]
  readonly registered: readonly Uint8Array[]
  /** Carried in attributes of the signer. */
  readonly embedded: readonly Uint8Array[]
  /** How many can be read again. */
  readonly limit: number
}

/** Registered evidence comes first, so that nothing carried crowds it out; `undefined` where there is nothing. */
function placeAll({ present, registered, embedded, limit }: Sources): readonly Uint8Array[] | undefined {
  const all = distinct([...registered, ...present, ...embedded]).slice(0, limit)
  return all.length === 0 ? undefined : all
}

/** What is present and what neither it nor the attributes have; `undefined` where nothing is missing. */
function addMissing({ present, registered, embedded, limit }: Sources): readonly Uint8Array[] | undefined {
  const known = distinct([...present, ...embedded])
  const missing = distinct([...known, ...registered]).slice(known.length, known.length + limit - present.length)
  return missing.length === 0 ? undefined : [...present, ...missing]
}

const isOther = ([tag]: Uint8Array): boolean => tag === OTHER_REVOCATION_INFO
