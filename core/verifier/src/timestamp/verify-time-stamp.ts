import { digest, digestAlgorithm } from '../algorithms/digest.js'
import {
  type AlgorithmPolicy,
  defaultAlgorithmPolicy,
  requireTrusted,
  requireTrustedDigest,
} from '../algorithms/policy.js'
import { readSignedData } from '../cms/signed-data.js'
import { type VerifiedSigner, verifySigner } from '../cms/verify-signer.js'
import { integerHex } from '../der/integer.js'
import { asRefusal, timeStampRefusal } from '../evidence-refusal.js'
import { buildPath } from '../path/build-path.js'
import type { CertificatePath } from '../path/path-context.js'
import type { Trust } from '../path/trust.js'
import type { Certificate } from '../x509/certificate.js'
import { assertNamesAuthority, assertTimeStampingUsage, ID_KP_TIME_STAMPING } from './authority-certificate.js'
import { assertKeyNotCompromised } from './key-compromise.js'
import { readTstInfo, type TstInfo } from './tst-info.js'

/** What a time stamp is judged by. */
export interface TimeStampContext {
  readonly trust: Trust
  /** The clock, milliseconds since the epoch; a stamp may not come from its future. */
  readonly now: number
  /** Certificates that came along with the token, for path building; never trusted by themselves. */
  readonly candidates?: readonly Certificate[]
  readonly algorithms?: AlgorithmPolicy
  /** How far `accuracy` may say that the time is off, milliseconds; one minute where not given. */
  readonly maxInaccuracy?: number
  /** What was asked for, when we asked: the token must say the same. */
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
}

const MAX_BYTES = 256 * 1024
/** An authority's clock and ours may differ by this much. */
const CLOCK_SKEW = 60_000
const MAX_INACCURACY = 60_000
const ID_CT_TST_INFO = '1.2.840.113549.1.9.16.1.4'

/**
 * Judges a time-stamp token (RFC 3161 sections 2.3 and 2.4.2, RFC 5816) over the given bytes: its form, its one signer,
 * who must be a time-stamping authority with a path to a trust anchor at `genTime`, and its imprint.
 * Throws `invalidTspTimeStamp` with a reason, or `algorithmNotTrusted`.
 */
export function verifyTimeStamp(token: Uint8Array, imprinted: Uint8Array, context: TimeStampContext): TimeStamp {
  const stamp = verifyTimeStampToken(token, context)
  try {
    assertImprint(stamp.info, imprinted, context)
    return stamp
  } catch (error) {
    throw asRefusal('invalidTspTimeStamp', error)
  }
}

/** Judges a token as `verifyTimeStamp` does, but says nothing of what was stamped: for looking into a token alone. */
export function verifyTimeStampToken(token: Uint8Array, context: TimeStampContext): TimeStamp {
  const { trust, now, candidates = [], algorithms = defaultAlgorithmPolicy } = context
  try {
    if (token.length > MAX_BYTES) throw timeStampRefusal('tooLarge')
    const signed = readSignedData(token)
    const { contentType, content, certificates, signerInfos } = signed
    if (contentType !== ID_CT_TST_INFO) throw timeStampRefusal('contentType', { contentType })
    if (content === undefined) throw timeStampRefusal('contentMissing')
    const info = readTstInfo(content)
    assertInfo(info, context)
    const [signerInfo, more] = signerInfos
    if (signerInfo === undefined || more !== undefined) {
      throw timeStampRefusal('notExactlyOneSigner', { signers: signerInfos.length })
    }
    const verified = verifySigner(signed, signerInfo, [...candidates, ...trust.intermediates])
    requireTrusted(algorithms, verified.scheme, verified.key, now)
    assertCertificateNamed(verified)
    const { certificate: signer } = verified
    assertTimeStampingUsage(signer)
    assertNamesAuthority(info.tsa, signer)
    const path = buildPath(signer, {
      trust,
      candidates: [...certificates, ...candidates],
      time: info.genTime,
      now,
      algorithms,
      purposes: [ID_KP_TIME_STAMPING],
    })
    assertKeyNotCompromised(path, { trust, now, algorithms })
    return {
      token: signed.der,
      info,
      genTime: info.genTime,
      policy: info.policy,
      signer,
      signAlgorithm: verified.scheme.oid,
      certificates,
      path,
    }
  } catch (error) {
    throw asRefusal('invalidTspTimeStamp', error)
  }
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
  requireTrustedDigest(context.algorithms ?? defaultAlgorithmPolicy, algorithm, context.now)
  if (!digest(imprint.digestOid, imprinted).equals(imprint.value)) throw timeStampRefusal('imprint')
}
