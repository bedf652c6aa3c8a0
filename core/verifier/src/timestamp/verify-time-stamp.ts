import { digest, digestAlgorithm } from '../algorithms/digest.js'
import {
  type AlgorithmPolicy,
  defaultAlgorithmPolicy,
  requireTrusted,
  requireTrustedDigest,
  trustedUntil,
  withoutEnds,
} from '../algorithms/policy.js'
import { signatureScheme } from '../algorithms/signature-scheme.js'
import { readCarriedEvidence } from '../cms/carried-evidence.js'
import { readSignedData } from '../cms/signed-data.js'
import { readTstInfo, type TstInfo } from '../cms/tst-info.js'
import { type VerifiedSigner, verifySigner } from '../cms/verify-signer.js'
import { integerHex } from '../der/integer.js'
import { asRefusal, timeStampRefusal } from '../evidence-refusal.js'
import { itemAt } from '../item-at.js'
import type { CertificatePath } from '../path/path-context.js'
import { keyInDoubt } from '../status/authentic-answers.js'
import { EvidencePool } from '../status/evidence-pool.js'
import type { StatusContext } from '../status/status-context.js'
import { buildUnrevokedPath, requireNotRevoked, withoutStatus } from '../status/unrevoked-path.js'
import type { Certificate } from '../x509/certificate.js'
import type { GeneralName } from '../x509/general-name.js'

/** Inputs of time-stamp validation. */
export interface TimeStampContext extends StatusContext {
  /** `chain` also requires a known status of the authority and all CAs above it; default `signer`. */
  readonly revocation?: RevocationDemand | undefined
  /** Maximum `accuracy`, milliseconds; default one minute. */
  readonly maxInaccuracy?: number
  /**
   * A time, in milliseconds, at which somebody else is proved to have seen the token (EN 319 102-1, proof of existence): its
   * algorithms only have to be trusted then, and a key that was lost later does not matter. Default is `now`.
   */
  readonly existedAt?: number | undefined
  /** The request, if we made one: the token must match it. */
  readonly request?: {
    /** Big-endian magnitude. */
    readonly nonce: Uint8Array
    readonly digestOid: string
    readonly policy?: string | undefined
  }
}

/** A proof that bytes existed at a time. */
export interface TimeStamp {
  /** The token in DER. */
  readonly token: Uint8Array
  readonly info: TstInfo
  /** Milliseconds since the epoch. */
  readonly genTime: number
  /** OID of the authority's time-stamp policy. */
  readonly policy: string
  /** The authority's certificate. */
  readonly signer: Certificate
  /** OID of the authority's signature algorithm. */
  readonly signAlgorithm: string
  /** Embedded certificates. */
  readonly certificates: readonly Certificate[]
  /** From the authority's certificate to a trust anchor, at `genTime`. */
  readonly path: CertificatePath
  /** Certificates of the path whose status is not known. */
  readonly unasked: readonly Certificate[]
  /** Until when the policy trusts its algorithms and those of its path, milliseconds; `Infinity` where it names no day. */
  readonly trustedUntil: number
}

/** Which status must be known: only the signer's, or that of every certificate below an anchor, time stamps included. */
export type RevocationDemand = 'signer' | 'chain'

const MAX_BYTES = 256 * 1024
/** Tolerated clock difference between an authority and us. */
const CLOCK_SKEW = 60_000
const MAX_INACCURACY = 60_000
const ID_KP_TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const PURPOSES: readonly string[] = [ID_KP_TIME_STAMPING]
const ID_CT_TST_INFO = '1.2.840.113549.1.9.16.1.4'

/**
 * Validates a time-stamp token (RFC 3161 sections 2.3 and 2.4.2, RFC 5816) over the given bytes: its form, its one signer,
 * who must be a time-stamping authority with a path to a trust anchor at `genTime`, and its imprint.
 * Throws `invalidTspTimeStamp` with a reason, or `algorithmNotTrusted`.
 */
export function verifyTimeStamp(token: Uint8Array, imprinted: Uint8Array, context: TimeStampContext): TimeStamp {
  // The imprint first, since it is cheap: anybody may add tokens over other data.
  return verifyToken(token, context, (info) => assertImprint(info, imprinted, context))
}

/** As `verifyTimeStamp`, without checking the imprint. */
export const verifyTimeStampToken = (token: Uint8Array, context: TimeStampContext): TimeStamp =>
  verifyToken(token, context, () => undefined)

function verifyToken(token: Uint8Array, context: TimeStampContext, requireOver: (info: TstInfo) => void): TimeStamp {
  const { trust, candidates: given = [], algorithms = defaultAlgorithmPolicy, existedAt } = context
  const now = existedAt ?? context.now
  try {
    if (token.length > MAX_BYTES) throw timeStampRefusal('tooLarge')
    const signed = readSignedData(token)
    const { contentType, content, certificates, signerInfos } = signed
    if (contentType !== ID_CT_TST_INFO) throw timeStampRefusal('contentType', { contentType })
    if (content === undefined) throw timeStampRefusal('contentMissing')
    const info = readTstInfo(content)
    assertInfo(info, { ...context, now })
    requireOver(info)
    const [signerInfo, more] = signerInfos
    if (signerInfo === undefined || more !== undefined) {
      throw timeStampRefusal('notExactlyOneSigner', { signers: signerInfos.length })
    }
    const verified = verifySigner(signed, signerInfo, [...given, ...trust.intermediates])
    requireTrusted(algorithms, verified.scheme, verified.key, now)
    assertCertificateNamed(verified)
    const { certificate: signer } = verified
    assertTimeStampingUsage(signer)
    assertNamesAuthority(info.tsa, signer)
    const carried = readCarriedEvidence(signed, signerInfo, 'all')
    const candidates = [...certificates, ...carried.certificates, ...given]
    const rules = { trust, now, algorithms, candidates }
    const known = existedAt === undefined ? context.evidence : context.evidence?.anew(rules)
    const evidence = (known ?? EvidencePool.empty()).with([carried], rules)
    const judging = { trust, now, algorithms, candidates, evidence, maxGap: context.maxGap }
    const path = buildUnrevokedPath(signer, judging, info.genTime, PURPOSES)
    requireUnrevoked(path, info.genTime, judging)
    if (existedAt !== undefined)
      requireKeyKept(
        signer,
        { genTime: info.genTime, existedAt },
        { ...judging, now: context.now, against: context.against?.with([carried], rules) },
      )
    const unasked = withoutStatus(path, 0, info.genTime, judging)
    if (context.revocation === 'chain' && unasked[0] !== undefined)
      throw timeStampRefusal('statusUndetermined', { authority: unasked[0].subject.toString() })
    return {
      token: signed.der,
      info,
      genTime: info.genTime,
      policy: info.policy,
      signer,
      signAlgorithm: verified.scheme.oid,
      certificates,
      path,
      unasked,
      // Only evidence records ask for it.
      get trustedUntil() {
        const own = trustedUntil(algorithms, verified.scheme, verified.key, now)
        return Math.min(own, ...linksTrustedUntil(path, algorithms, now))
      },
    }
  } catch (error) {
    throw asRefusal('invalidTspTimeStamp', error)
  }
}

/** A TSA that was revoked by then, or whose key may be compromised since, proves no time (RFC 3161 section 4). */
function requireUnrevoked({ certificates }: CertificatePath, genTime: number, judging: StatusContext): void {
  const doubt = keyInDoubt(certificates, judging)
  if (doubt !== undefined) throw timeStampRefusal('authorityKeyCompromised', { ...doubt })
  requireNotRevoked(certificates, genTime, judging)
}

/** Until when the policy trusts what the certificates of a path are signed with. */
export const linksTrustedUntil = (
  { certificates }: CertificatePath,
  algorithms: AlgorithmPolicy,
  now: number,
): number[] =>
  certificates.slice(0, -1).map(({ signatureAlgorithm }, index) => {
    const { publicKey } = itemAt(certificates, index + 1)
    return trustedUntil(algorithms, signatureScheme(signatureAlgorithm, publicKey), publicKey, now)
  })

/**
 * What is known today counts against a token of then, too: that its authority was revoked when it was made, or that its key was
 * lost before somebody else saw it. That the algorithms of what tells it have ended since is no reason not to listen.
 */
function requireKeyKept(
  signer: Certificate,
  { genTime, existedAt }: { readonly genTime: number; readonly existedAt: number },
  { evidence, against = evidence, ...known }: StatusContext & { readonly algorithms: AlgorithmPolicy },
): void {
  const rules = { ...known, algorithms: withoutEnds(known.algorithms) }
  const today = { ...rules, evidence: against?.anew(rules) }
  const { certificates } = buildUnrevokedPath(signer, today, genTime, PURPOSES)
  const doubt = keyInDoubt(certificates, today, existedAt)
  if (doubt !== undefined) throw timeStampRefusal('authorityKeyCompromised', { ...doubt, existedAt })
  requireNotRevoked(certificates, genTime, today)
}

function assertInfo(
  { genTime, accuracy = 0, nonce, imprint, policy, extensions }: TstInfo,
  { now, request, maxInaccuracy = MAX_INACCURACY }: TimeStampContext,
): void {
  for (const { oid, critical } of extensions.values()) {
    if (critical) throw timeStampRefusal('unknownCriticalExtension', { oid })
  }
  if (genTime > now + CLOCK_SKEW) throw timeStampRefusal('genTimeInFuture', { genTime, now })
  if (accuracy > maxInaccuracy) throw timeStampRefusal('accuracy', { accuracy, maxInaccuracy })
  if (request === undefined) return
  if (nonce === undefined || integerHex(nonce) !== Buffer.from(request.nonce).toString('hex')) {
    throw timeStampRefusal(nonce === undefined ? 'nonceMissing' : 'nonceDiffers')
  }
  if (imprint.digestOid !== request.digestOid) throw timeStampRefusal('imprintAlgorithm', { oid: imprint.digestOid })
  if (request.policy !== undefined && policy !== request.policy) throw timeStampRefusal('policy', { policy })
}

/** RFC 5816: the signed attributes name the signer's certificate, by SHA-1 (v1) or by a digest of choice (v2). */
function assertCertificateNamed({ signingCertificate: { v1, v2 } }: VerifiedSigner): void {
  if (v1 === 'absent' && v2 === 'absent') throw timeStampRefusal('signingCertificateMissing')
}

function assertImprint({ imprint }: TstInfo, imprinted: Uint8Array, context: TimeStampContext): void {
  const algorithm = digestAlgorithm(imprint.digestOid)
  requireTrustedDigest(context.algorithms ?? defaultAlgorithmPolicy, algorithm, context.existedAt ?? context.now)
  if (!digest(imprint.digestOid, imprinted).equals(imprint.value)) throw timeStampRefusal('imprint')
}

/** RFC 3161 section 2.3: a critical extended key usage with timeStamping as the only purpose. */
function assertTimeStampingUsage({ extensions }: Certificate): void {
  const { extKeyUsage, keyUsage } = extensions
  if (extKeyUsage === undefined) throw timeStampRefusal('usageMissing')
  if (!extKeyUsage.critical) throw timeStampRefusal('usageNotCritical')
  const [purpose, more] = extKeyUsage.oids
  if (purpose !== ID_KP_TIME_STAMPING || more !== undefined) {
    throw timeStampRefusal('usageNotExclusive', { purposes: extKeyUsage.oids })
  }
  if (keyUsage !== undefined && !keyUsage.has('digitalSignature') && !keyUsage.has('nonRepudiation')) {
    throw timeStampRefusal('keyUsage', { keyUsage: [...keyUsage] })
  }
}

/** RFC 3161 section 2.4.2: the tsa field, if present, is a subject name of the signer's certificate. */
function assertNamesAuthority(name: GeneralName | undefined, signer: Certificate): void {
  if (name === undefined) return
  const isSubject = name.name?.equals(signer.subject) === true
  const isAlternative = signer.extensions.subjectAltName?.some((other) => sameName(name, other)) === true
  if (!isSubject && !isAlternative) throw timeStampRefusal('authorityName', { authority: name.value })
}

const sameName = (a: GeneralName, b: GeneralName): boolean =>
  a.type === b.type && (a.name !== undefined && b.name !== undefined ? a.name.equals(b.name) : a.value === b.value)
