import { genTimeOf } from '../cms/gen-time.js'
import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import {
  type CarriedEvidence,
  type CarriedTimeStamp,
  type EvidenceTaken,
  NO_EVIDENCE,
  type UnusedEvidence,
} from '../signature.js'
import type { Certificate } from '../x509/certificate.js'
import { archiveTokens } from './archive/archive-property.js'
import { decodeBase64 } from './base64.js'
import { DEFAULT_CANONICALIZATION, readCanonicalization } from './canonicalization-method.js'
import { canonicalize } from './canonicalize.js'
import { base64Content, elementChildren } from './element-content.js'
import { addCertificate } from './key-info.js'
import { XmlElement, XmlText } from './node.js'
import { basicResponse } from './ocsp-value.js'
import { propertiesNamed, type QualifyingProperties } from './qualifying-properties.js'
import { DSIG, type SignatureElement } from './signature-element.js'

const GROUP = 'UnsignedSignatureProperties'
/** Pieces of each kind that are read. */
const MAX_OF_EACH_KIND = 1000
/** Properties of long-term forms (EN 319 132-1, 5.5 and annex A): reported but not validated. */
const ARCHIVES: ReadonlySet<string> = new Set(['ArchiveTimeStamp', 'SigAndRefsTimeStamp', 'RefsOnlyTimeStamp'])
const RECORDS: ReadonlySet<string> = new Set(['SealingEvidenceRecords'])

/** Reads the evidence in the properties; with `one`, throws `invalidTspTimeStamp` or `invalidOcspData` for malformed evidence. */
export function readCarriedEvidence(
  properties: QualifyingProperties | undefined,
  parts: SignatureElement,
  taken: EvidenceTaken,
): CarriedEvidence {
  if (properties === undefined) return NO_EVIDENCE
  const unused: UnusedEvidence[] = []
  const sparing = <T>(kind: UnusedEvidence['kind'], read: () => readonly T[]): readonly T[] => {
    try {
      const all = read()
      if (all.length > MAX_OF_EACH_KIND) unused.push({ kind, reason: 'tooMany' })
      return all.slice(0, MAX_OF_EACH_KIND)
    } catch (error) {
      if (taken === 'one' || !(error instanceof RegistryError)) throw error
      unused.push({ kind, reason: String(error.details?.reason) })
      return []
    }
  }
  const stamps = sparing('timeStamp', () => propertiesNamed(properties.unsigned, GROUP, ['SignatureTimeStamp']))
  if (taken === 'one' && stamps.length > 1) throw badTimeStamp('severalTimeStamps')
  const timeStamps = stamps.flatMap((property) => sparing('timeStamp', () => readTimeStamps(property, parts)))
  if (taken === 'one' && timeStamps.length > 1) throw badTimeStamp('severalTimeStamps')
  const revocations = sparing('revocationValues', () =>
    propertiesNamed(properties.unsigned, GROUP, ['RevocationValues']),
  )
  const valuesOf = (list: string) =>
    revocations.flatMap((one) => sparing('revocationValues', () => encapsulated(one, properties, list)))
  const answers = valuesOf('OCSPValues').flatMap((value) => sparing('ocsp', () => [readAnswer(value, properties)]))
  if (taken === 'one' && answers.length > 1) throw badOcsp('severalAnswers')
  const crls = valuesOf('CRLValues').flatMap((value) => readCrl(value, unused))
  unused.push(...archives(properties))
  return { timeStamps, contentTimeStamps: contentTimeStamps(properties), answers, crls, unused }
}

/** The tokens of a SignatureTimeStamp with the bytes they must be over (EN 319 132-1, 5.3). */
function readTimeStamps(property: XmlElement, { signatureValue }: SignatureElement): CarriedTimeStamp[] {
  let method = DEFAULT_CANONICALIZATION
  const tokens: XmlElement[] = []
  for (const child of elementChildren(property)) {
    if (child.is(DSIG, 'CanonicalizationMethod')) method = readCanonicalization(child)
    else if (child.is(property.namespace, 'EncapsulatedTimeStamp')) tokens.push(child)
    else throw badTimeStamp('timeStampForm')
  }
  if (tokens.length === 0) throw badTimeStamp('severalTimeStamps')
  if (!tokens.every(inDer)) throw badTimeStamp('timeStampForm')
  return tokens.map((token) => ({ token: base64Content(token), imprinted: canonicalize(signatureValue, method) }))
}

/** Values in a list of one RevocationValues. */
const encapsulated = (property: XmlElement, { namespace }: QualifyingProperties, list: string): XmlElement[] =>
  elementChildren(property)
    .filter((child) => child.is(namespace, list))
    .flatMap((child) => elementChildren(child))

function readAnswer(value: XmlElement, { namespace }: QualifyingProperties): Uint8Array {
  if (!value.is(namespace, 'EncapsulatedOCSPValue') || !inDer(value)) throw badOcsp('answerForm')
  try {
    return basicResponse(base64Content(value))
  } catch (error) {
    if (error instanceof DerError) throw badOcsp('answerForm', error)
    throw error
  }
}

/** A malformed CRL is reported, not refused: embedded CRLs only add to what is known. */
function readCrl(value: XmlElement, unused: UnusedEvidence[]): Uint8Array[] {
  const text = value.children.map((child) => (child instanceof XmlText ? child.value : '')).join('')
  const der = inDer(value) ? decodeBase64(text) : undefined
  if (der === undefined) unused.push({ kind: 'crl', reason: 'notParsed' })
  return der === undefined ? [] : [der]
}

/** AllDataObjectsTimeStamp and IndividualDataObjectsTimeStamp (EN 319 132-1, 5.2.8), of which only the time is used. */
const contentTimeStamps = ({ signed }: QualifyingProperties): Uint8Array[] =>
  propertiesNamed(signed, 'SignedDataObjectProperties', ['AllDataObjectsTimeStamp', 'IndividualDataObjectsTimeStamp'])
    .flatMap((property) => property.children)
    .flatMap((child) =>
      child instanceof XmlElement && child.localName === 'EncapsulatedTimeStamp' ? [base64Content(child)] : [],
    )

function archives({ unsigned }: QualifyingProperties): UnusedEvidence[] {
  const properties = (unsigned?.children ?? []).flatMap((group) =>
    group instanceof XmlElement && group.localName === GROUP ? group.children : [],
  )
  return properties.flatMap((property): UnusedEvidence[] => {
    if (!(property instanceof XmlElement)) return []
    if (RECORDS.has(property.localName)) return [{ kind: 'evidenceRecord', reason: 'notJudged' }]
    if (!ARCHIVES.has(property.localName) || archiveTokens(property) !== undefined) return []
    return [{ kind: 'archiveTimeStamp', reason: 'notJudged', time: archivedAt(property) }]
  })
}

function archivedAt(property: XmlElement): number | undefined {
  for (const child of property.children) {
    if (!(child instanceof XmlElement) || child.localName !== 'EncapsulatedTimeStamp') continue
    const [text] = child.children
    const der = text instanceof XmlText ? decodeBase64(text.value) : undefined
    return der && genTimeOf(der)
  }
  return undefined
}

/** Adds the certificates of CertificateValues for path building; with `all`, malformed ones are ignored. */
export function addCertificateValues(
  certificates: Certificate[],
  properties: QualifyingProperties | undefined,
  taken: EvidenceTaken,
): void {
  try {
    for (const property of propertiesNamed(properties?.unsigned, GROUP, ['CertificateValues'])) {
      for (const child of elementChildren(property)) {
        if (child.is(property.namespace, 'EncapsulatedX509Certificate')) addCertificate(certificates, child)
      }
    }
  } catch (error) {
    if (taken === 'one' || !(error instanceof RegistryError)) throw error
  }
}

/** EncapsulatedPKIDataType: the encoding is DER unless it says otherwise. */
const inDer = (element: XmlElement): boolean =>
  /^(?:http:\/\/uri\.etsi\.org\/01903\/v1\.[0-9]\.[0-9]#DER)?$/.test(element.attribute('Encoding') ?? '')

const badTimeStamp = (reason: string) => signatureErrors.error('invalidTspTimeStamp', { reason })
const badOcsp = (reason: string, cause?: unknown) => signatureErrors.error('invalidOcspData', { reason }, cause)
