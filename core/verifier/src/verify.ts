import { type Check, Checks } from './checks.js'
import { decodeSignature } from './cms/decode-signature.js'
import { readCmsSigners } from './cms/read-cms.js'
import { compareDocument } from './compare-document.js'
import { RegistryError } from './error.js'
import { signatureErrors } from './errors.js'
import {
  type Indicated,
  type Indication,
  indicationOf,
  NOT_COMPARED,
  PASSED,
  type SubIndication,
  worstOf,
} from './indication.js'
import type { ReadSignature } from './signature.js'
import { judgeAnswers } from './status/judge-answers.js'
import { runSteps } from './steps.js'
import type { TimeStamp } from './timestamp/verify-time-stamp.js'
import {
  type EvidenceContext,
  type EvidenceSource,
  type SignatureContext,
  type SignatureProof,
  verification,
} from './verification.js'
import { judgeCrls, judgeOcsp, judgeTimeStamp, type SignatureEvidence } from './verify-signature.js'
import type { XmlSignatureOptions } from './xml/open-signature.js'
import { parseXml } from './xml/parse-xml.js'
import { readXmlAlone } from './xml/read-xml-signature.js'
import { DSIG } from './xml/signature-element.js'
import { readCounterSignatures, readXmlSignatures, type VerifiedXml } from './xml/verify-xml-document.js'
import { xmlText } from './xml/xml-text.js'

/** What signatures are judged by; only `trust` is needed. */
export interface VerifyOptions extends Omit<SignatureContext, 'now'> {
  /** The moment of judging, milliseconds since the epoch; the system's clock when absent. */
  readonly at?: number
  /** What was signed, when the signature does not carry it: the bytes, or digests of them by the OID of the algorithm. */
  readonly document?: Uint8Array | ReadonlyMap<string, Uint8Array>
  /** Evidence that the signature does not carry. */
  readonly evidence?: Partial<SignatureEvidence>
  /** What an XML signature must be over: `element` also takes one that leaves parts of the document to anybody. */
  readonly covers?: 'document' | 'element'
  /**
   * Gives the bytes of what an XML signature is over outside of its document (ASiC), by URI (see `filesByUri`); nothing is
   * ever fetched. The one file that it has nothing for is the `document`.
   */
  readonly resolve?: XmlSignatureOptions['resolve']
  /** Take zeros behind a CMS for padding, as `/Contents` of PDF has them. */
  readonly trailingZeros?: boolean
}

/** What became of one signer's signature. */
export interface SignerVerdict {
  readonly indication: Indication
  readonly subIndication: SubIndication | undefined
  /**
   * `validAt`: good at a time that a time stamp proves; `validNow`: good at the moment of judging, nothing proves more;
   * `intact`: the value is right for its key, whose holder was not shown to be anybody; `refused`: not even that.
   */
  readonly conclusion: 'validAt' | 'validNow' | 'intact' | 'refused'
  /** The time that the conclusion is about, milliseconds since the epoch. */
  readonly time: number
  /** The one error that it is refused with, if there is one. */
  readonly refusal: RegistryError | undefined
  /** `carried`: what was signed is part of the signed bytes; `notCompared`: nobody has shown the document. */
  readonly document: 'carried' | 'matches' | 'differs' | 'notCompared' | 'unknown'
  /**
   * What an XML signature is over; of a part, read `signedBytes` alone; `detached` is over what `resolve` gave; `signature`
   * is a counter-signature, which says nothing of the document and does not count for the verdict as a whole.
   */
  readonly covers: VerifiedXml['covers'] | undefined
  /** The bytes that the signature is over, where it carries them. */
  readonly signedBytes: Uint8Array | undefined
  /** The signature as read, unless it was refused before. */
  readonly signature: ReadSignature | undefined
  /** What it was proved with, unless it was not. */
  readonly proof: SignatureProof<TimeStamp | undefined> | undefined
  /** What would have told more. */
  readonly missing: readonly ('document' | 'signingCertificate' | 'timeStamp' | 'status')[]
  /** What was looked at, in this order. */
  readonly checks: readonly Check[]
}

/** What became of signed bytes: the worst of its signatures but counter-signatures, and each for itself. */
export interface Verdict {
  /** True when every signature is `TOTAL-PASSED`, counter-signatures aside, which anybody may add. */
  readonly valid: boolean
  readonly indication: Indication
  readonly subIndication: SubIndication | undefined
  /** The moment of judging, milliseconds since the epoch. */
  readonly at: number
  readonly signatures: readonly SignerVerdict[]
}

/**
 * Judges signed bytes, a CMS (DER, base64 or PEM) or XML, by trust alone: no network, no clock but `at`, no file.
 * Never throws for what the bytes are: that is what a verdict is for.
 */
export function verify(signed: Uint8Array | string, options: VerifyOptions): Verdict {
  const at = options.at ?? Date.now()
  const signatures = opened(signed, { ...options, at }).map((open) => judge(open, { ...options, at }))
  const own = signatures.filter(({ covers }) => covers !== 'signature')
  const { indication, subIndication } = worstOf(own.length === 0 ? signatures : own)
  return { valid: indication === 'TOTAL-PASSED', indication, subIndication, at, signatures }
}

type Judging = VerifyOptions & { readonly at: number }

/** A signature whose value is right, and what it is over. */
interface Opened extends Pick<SignerVerdict, 'covers' | 'signedBytes'> {
  readonly signature: ReadSignature
}

/** Reads one signature. */
interface Opener {
  (): Opened
  /** Whether it is a counter-signature, whatever becomes of it. */
  readonly countersigns?: boolean
}

/** Every signature in the bytes, each read when called; bytes that cannot be read at all are one that is refused. */
function opened(signed: Uint8Array | string, options: Judging): readonly Opener[] {
  try {
    const text = typeof signed === 'string' ? signed : textOf(signed)
    if (text === undefined) return openedCms(Buffer.from(signed), options)
    return text.trimStart().startsWith('<') ? openedXml(text, options) : openedCms(decodeSignature(text), options)
  } catch (error) {
    return [
      () => {
        throw error
      },
    ]
  }
}

const DER_SEQUENCE = 0x30
/** Text of XML, base64 or PEM; base64 of a CMS begins with `M`, so that its DER alone begins with the octet of a SEQUENCE. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === DER_SEQUENCE) return undefined
  const text = Buffer.from(bytes).toString('utf8')
  return text.trimStart().startsWith('<') ? xmlText(bytes) : text
}

/** One for each certificate of a long path, and its time stamps' paths. */
const MAX_OCSP_ANSWERS = 32

const openedCms = (der: Uint8Array, { trailingZeros = false }: Judging): readonly (() => Opened)[] =>
  readCmsSigners(der, { maxOcspAnswers: MAX_OCSP_ANSWERS, trailingZeros }).map((read) => () => {
    const signature = read()
    return { signature, covers: undefined, signedBytes: signature.content }
  })

function openedXml(text: string, { algorithms, at, document, resolve }: Judging): readonly Opener[] {
  const options: XmlSignatureOptions = {
    at,
    maxOcspAnswers: MAX_OCSP_ANSWERS,
    // Whether a part will do is said in the verdict.
    covers: 'element',
    ...(algorithms === undefined ? {} : { algorithms }),
    ...(resolve === undefined ? {} : { resolve }),
    ...(document === undefined ? {} : { externalDocument: document }),
  }
  if (document !== undefined && parseXml(text).root.is(DSIG, 'Signature'))
    return [() => ({ ...readXmlAlone(text, options), signedBytes: undefined }), ...readCounterSignatures(text, options)]
  return readXmlSignatures(text, options)
}

function judge(open: Opener, options: Judging): SignerVerdict {
  const { at } = options
  const checks = new Checks()
  let found: Opened | undefined
  let document: SignerVerdict['document'] = 'unknown'
  let timeStamp: TimeStamp | undefined
  const source = carriedEvidence(options.evidence ?? {}, (stamp) => {
    timeStamp = stamp
  })
  const verdict = (indicated: Indicated, rest: Pick<SignerVerdict, 'conclusion' | 'refusal' | 'proof'>) => ({
    ...indicated,
    ...rest,
    time: timeStamp?.genTime ?? at,
    document,
    covers: found?.covers ?? (open.countersigns === true ? 'signature' : undefined),
    signedBytes: found?.signedBytes,
    signature: found?.signature,
    missing: found === undefined ? [] : missing(found.signature, document, options),
    checks: checks.all,
  })
  try {
    const read = open()
    found = read
    const { signature } = found
    document = checks.run('document', signature.signer.subject, at, () => {
      requireCoverage(read.covers, options)
      return comparison(read, options)
    })
    const proof = runSteps(verification(signature, source, { ...options, now: at }, checks))
    const indicated = document === 'notCompared' ? NOT_COMPARED : PASSED
    const conclusion = proof.timeStamp === undefined ? 'validNow' : 'validAt'
    return verdict(indicated, { conclusion, refusal: undefined, proof })
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    if (error.code === 'signatureDoesNotCorrespond' && error.details?.reason === 'digest') document = 'differs'
    const conclusion = found === undefined || document === 'differs' ? 'refused' : 'intact'
    const refusal = error
    return verdict(indicationOf(error, timeStamp !== undefined), { conclusion, refusal, proof: undefined })
  }
}

/** Compares the signed digests with the document; throws `signatureDoesNotCorrespond`. */
function comparison(
  { signature: { digests }, signedBytes: carried, covers }: Opened,
  { document }: Judging,
): SignerVerdict['document'] {
  if (covers === 'signature') return 'carried'
  if (document === undefined) return carried === undefined ? 'notCompared' : 'carried'
  compareDocument(digests, document, covers === 'detached')
  return 'matches'
}

/** Whoever has not asked for it is not told that a document is signed when a part of it is. */
function requireCoverage(found: SignerVerdict['covers'], { covers = 'document' }: Judging): void {
  if (found === 'element' && covers === 'document')
    throw signatureErrors.error('signatureDoesNotCorrespond', { reason: 'coversElement' })
}

/** What is given beside the signature before what it carries, CRLs where there is no answer of OCSP for the moment. */
const carriedEvidence = (
  { timeStamp, ocsp, crls = [] }: Partial<SignatureEvidence>,
  note: (timeStamp: TimeStamp) => void,
): EvidenceSource<TimeStamp | undefined> => ({
  timeStamp: (signature, context) => {
    const token = timeStamp ?? signature.timeStamp?.token
    if (token === undefined) return undefined
    const stamp = judgeTimeStamp(token, signature, context)
    note(stamp)
    return stamp
  },
  status: (signature, moment, context) => {
    const answer = ocsp ?? signature.ocsp
    if (answer === undefined) return judgeCrls(crls, signature, moment, context)
    const several = ocsp === undefined ? signature.ocspAnswers : undefined
    try {
      if (several === undefined) return judgeOcsp(answer, signature, moment, context)
      const { certificates } = moment.path
      return { status: judgeAnswers(several, certificates, { ...context, time: moment.time }), crlProof: undefined }
    } catch (error) {
      const isOfAnotherTime = error instanceof RegistryError && error.code === 'evidenceTimesDiffer'
      if (isOfAnotherTime && hasCrls(crls, context)) return judgeCrls(crls, signature, moment, context)
      throw error
    }
  },
})

const hasCrls = (crls: readonly Uint8Array[], { trust }: Pick<EvidenceContext, 'trust'>): boolean =>
  crls.length + (trust.crls?.length ?? 0) > 0

function missing(
  signature: ReadSignature,
  document: SignerVerdict['document'],
  { evidence = {}, trust }: Judging,
): SignerVerdict['missing'] {
  const hasStatus = (evidence.ocsp ?? signature.ocsp) !== undefined || hasCrls(evidence.crls ?? [], { trust })
  return [
    ...(document === 'notCompared' ? (['document'] as const) : []),
    ...(signature.certificateNamed ? [] : (['signingCertificate'] as const)),
    ...((evidence.timeStamp ?? signature.timeStamp) === undefined ? (['timeStamp'] as const) : []),
    ...(hasStatus ? [] : (['status'] as const)),
  ]
}
