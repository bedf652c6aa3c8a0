import { expectTag, SEQUENCE } from '../der/fields.js'
import { children, type DerElement, DerError, encoded } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import {
  type CarriedArchive,
  type CarriedEvidence,
  type EvidenceTaken,
  NO_EVIDENCE,
  type UnusedEvidence,
} from '../signature.js'
import { Certificate } from '../x509/certificate.js'
import { cadesArchive } from './archive/cades-archive.js'
import type { Attributes } from './attributes.js'
import { genTimeOf } from './gen-time.js'
import { archiveForms, archiveOids, cmsOids } from './oids.js'
import { readOcspInfo } from './revocation-info.js'
import { type RevocationValues, readRevocationValues } from './revocation-values.js'
import type { SignedData } from './signed-data.js'
import type { SignerInfo } from './signer-info.js'

/** Pieces of each kind that are read; hardly more fit into the 256 KiB besides the content. */
const MAX_OF_EACH_KIND = 1000

/** The evidence embedded for one signer of a CMS. */
export interface CmsEvidence extends CarriedEvidence {
  /** The first OCSP response in the signer's attributes, as opposed to those of SignedData. */
  readonly ownAnswer: Uint8Array | undefined
  /** From certificate-values (RFC 5126, 6.3.3). */
  readonly certificates: readonly Certificate[]
  /** Types of attributes that are not understood. */
  readonly ignored: readonly string[]
}

const UNDERSTOOD: ReadonlySet<string> = new Set([
  cmsOids.signatureTimeStamp,
  cmsOids.certificateValues,
  cmsOids.revocationValues,
  ...archiveOids.keys(),
])

const NOTHING: CmsEvidence = { ...NO_EVIDENCE, ownAnswer: undefined, certificates: [], ignored: [] }

/**
 * Reads the evidence in the attributes of a signer and in the revocation information of its SignedData (RFC 5126, 6.1.1 and
 * 6.3; RFC 5652, 10.2.1). With `one`, throws `invalidTspTimeStamp` or `invalidOcspData` for a second time stamp or OCSP response
 * and for malformed evidence.
 */
export function readCarriedEvidence(signed: SignedData, signer: SignerInfo, taken: EvidenceTaken): CmsEvidence {
  const { signedAttributes, unsignedAttributes } = signer
  const stamps = contentTimeStamps(signedAttributes)
  if (unsignedAttributes === undefined && signed.parts.crls === undefined && stamps.length === 0) return NOTHING
  const collected = new EvidenceCollector(taken)
  const archives: CarriedArchive[] = []
  const duplicate = taken === 'one' ? unsignedAttributes?.duplicateAmong(SINGLE_ATTRIBUTES) : undefined
  if (duplicate !== undefined)
    throw duplicate === cmsOids.signatureTimeStamp ? notExactlyOneTimeStamp() : notExactlyOneAnswer()
  for (const { oid, values } of unsignedAttributes?.all ?? []) {
    if (oid === cmsOids.signatureTimeStamp) collected.addTokens(values)
    else if (oid === cmsOids.revocationValues) collected.addRevocationValues(values)
    else if (oid === cmsOids.certificateValues) collected.addCertificates(values)
    else if (archiveForms.has(oid))
      archives.push(...values.map((value) => cadesArchive(signed, signer, oid, encoded(value))))
    else collected.addArchive(oid, values)
  }
  const [ownAnswer] = collected.answers
  collected.addRevocationInfo(signed.parts.crls)
  const { tokens, answers, crls, certificates, unused } = collected
  return {
    timeStamps: tokens.map((token) => ({ token, imprinted: signer.signature })),
    contentTimeStamps: stamps,
    ...{ ownAnswer, answers, crls, certificates, unused },
    ...(archives.length > 0 && { archives }),
    ignored: unsignedAttributes?.all.map(({ oid }) => oid).filter((oid) => !UNDERSTOOD.has(oid)) ?? [],
  }
}

const SINGLE_ATTRIBUTES: readonly string[] = [cmsOids.signatureTimeStamp, cmsOids.revocationValues]

const contentTimeStamps = (attributes: Attributes | undefined): Uint8Array[] =>
  attributes?.has(cmsOids.contentTimeStamp) === true
    ? attributes.all.flatMap(({ oid, values }) => (oid === cmsOids.contentTimeStamp ? values.map(encoded) : []))
    : []

class EvidenceCollector {
  readonly tokens: Uint8Array[] = []
  readonly answers: Uint8Array[] = []
  readonly crls: Uint8Array[] = []
  readonly certificates: Certificate[] = []
  readonly unused: UnusedEvidence[] = []

  constructor(private readonly taken: EvidenceTaken) {}

  addTokens(values: readonly DerElement[]): void {
    if (this.taken === 'one' && values.length !== 1) throw notExactlyOneTimeStamp()
    this.add('timeStamp', this.tokens, values)
  }

  addRevocationValues(values: readonly DerElement[]): void {
    if (this.taken === 'one' && values.length !== 1) throw notExactlyOneAnswer()
    for (const value of values) {
      try {
        this.addLists(readRevocationValues(value))
      } catch (error) {
        if (!(error instanceof DerError)) throw error
        if (this.taken === 'one') throw signatureErrors.error('invalidOcspData', { reason: 'notParsed' }, error)
        this.unused.push({ kind: 'revocationValues', reason: 'notParsed' })
      }
    }
  }

  private addLists({ crls, answers, others }: RevocationValues): void {
    if (this.taken === 'one' && this.answers.length + answers.length > 1) throw notExactlyOneAnswer()
    this.add('ocsp', this.answers, answers)
    this.add('crl', this.crls, crls)
    if (others) this.unused.push({ kind: 'revocationValues', reason: 'notJudged' })
  }

  /** Adds the CRLs and OCSP responses of SignedData, after those in the signer's attributes. */
  addRevocationInfo(crls: DerElement | undefined): void {
    for (const element of crls === undefined ? [] : children(crls)) {
      if (element.tag === SEQUENCE) this.add('crl', this.crls, [element])
      else this.addOtherInfo(element)
    }
  }

  private addOtherInfo(element: DerElement): void {
    try {
      const answer = readOcspInfo(element)
      if (answer !== undefined) this.add('ocsp', this.answers, [answer])
      else this.unused.push({ kind: 'revocationValues', reason: 'notJudged' })
    } catch (error) {
      if (!(error instanceof DerError)) throw error
      this.unused.push({ kind: 'revocationValues', reason: 'notParsed' })
    }
  }

  /** Adds certificates for path building; malformed ones are ignored. */
  addCertificates(values: readonly DerElement[]): void {
    try {
      for (const element of values.flatMap((value) => children(expectTag(value, SEQUENCE), MAX_OF_EACH_KIND)))
        if (this.certificates.length < MAX_OF_EACH_KIND) this.certificates.push(Certificate.read(element))
    } catch (error) {
      if (!(error instanceof DerError)) throw error
    }
  }

  addArchive(oid: string, values: readonly DerElement[]): void {
    const kind = archiveOids.get(oid)
    if (kind === undefined) return
    for (const value of values) this.unused.push({ kind, reason: 'notJudged', time: genTimeOf(encoded(value)) })
  }

  private add(kind: UnusedEvidence['kind'], list: Uint8Array[], elements: readonly DerElement[]): void {
    for (const element of elements)
      if (list.length < MAX_OF_EACH_KIND) list.push(encoded(element))
      else this.unused.push({ kind, reason: 'tooMany' })
  }
}

const notExactlyOneTimeStamp = () => signatureErrors.error('invalidTspTimeStamp', { reason: 'notExactlyOne' })
const notExactlyOneAnswer = () => signatureErrors.error('invalidOcspData', { reason: 'notExactlyOne' })
