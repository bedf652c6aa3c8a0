import type { Clock } from '@signed-registry/core'
import { contentType, messageDigest, signingCertificateV2, signingTime } from '../cms/attributes.js'
import { type Holder, signedData, signerInfo } from '../cms/signed-data.js'
import { generalizedTime, integer, namedBits, octetString, oid, sequence } from '../der/writer.js'
import { digest, digestAlgorithm, type HashName } from '../hashes.js'
import { CMS, POLICIES } from '../oids.js'
import { newSerial } from '../x509/certificate.js'
import { readTimeStampRequest } from './time-stamp-request.js'

/** Contents and signer of a time stamp (RFC 3161 2.4.2). */
export interface TimeStampParts {
  readonly signer: Holder
  /** MessageImprint, DER. */
  readonly imprint: Uint8Array
  /** Milliseconds since the UNIX epoch; written in whole seconds. */
  readonly genTime: number
  readonly policy: string
  /** Accuracy in seconds; absent by default. */
  readonly accuracy?: number
  /** INTEGER content octets, as the request had them. */
  readonly nonce: Uint8Array | undefined
  /** Embedded; empty when the request does not ask for them. */
  readonly certificates: readonly Buffer[]
  /** Digest of the token's own signature. */
  readonly hash: HashName
}

/** What a misbehaving authority changes. */
export type TimeStampChange = (honest: TimeStampParts) => Partial<TimeStampParts>

/** MessageImprint of data. */
export const messageImprint = (data: Uint8Array, hash: HashName): Buffer =>
  sequence(digestAlgorithm(hash), octetString(digest(hash, data)))

/** A TimeStampToken. */
export function timeStampToken(parts: TimeStampParts): Buffer {
  const { signer, hash } = parts
  const info = sequence(
    integer(1),
    oid(parts.policy),
    parts.imprint,
    integer(newSerial()),
    generalizedTime(parts.genTime),
    ...(parts.accuracy === undefined ? [] : [sequence(integer(parts.accuracy))]),
    ...(parts.nonce === undefined ? [] : [integer(parts.nonce)]),
  )
  const signedAttributes = [
    contentType(CMS.tstInfo),
    signingTime(parts.genTime),
    messageDigest(info, hash),
    signingCertificateV2(signer.certificate),
  ]
  return signedData({
    contentType: CMS.tstInfo,
    content: info,
    digestAlgorithms: [digestAlgorithm(hash)],
    certificates: parts.certificates,
    signerInfos: [signerInfo({ signer, hash, content: info, signedAttributes })],
  })
}

/** PKIFailureInfo bits of RFC 3161 2.4.2. */
const FAILURES = { badAlg: 0, badDataFormat: 5, unacceptedPolicy: 15 } as const

/** A TimeStampResp with status rejection. */
export const timeStampRefusal = (failure: keyof typeof FAILURES): Buffer =>
  sequence(sequence(integer(2), namedBits([FAILURES[failure]])))

/** A TimeStampResp with status granted. */
export const timeStampGrant = (token: Buffer): Buffer => sequence(sequence(integer(0)), token)

/** A time-stamping authority: answers the DER of requests with the DER of responses. */
export class TimeStampingAuthority {
  constructor(
    private readonly signer: () => Holder,
    private readonly chain: () => readonly Buffer[],
    private readonly clock: Clock,
  ) {}

  /** Answers a TimeStampReq; `change` replaces parts of the honest answer, for tests of those who check it. */
  respond(request: Uint8Array, change?: TimeStampChange): Buffer {
    const asked = readTimeStampRequest(request)
    if (asked === undefined) return timeStampRefusal('badDataFormat')
    if (asked.hash === 'md5' || asked.hash === 'sha1') return timeStampRefusal('badAlg')
    if (asked.policy !== undefined && !oid(POLICIES.timeStamping).equals(asked.policy)) {
      return timeStampRefusal('unacceptedPolicy')
    }
    const { imprint, nonce, certificates } = asked
    const honest = { ...this.honest(imprint), nonce }
    return timeStampGrant(stamp(certificates ? honest : { ...honest, certificates: [] }, change))
  }

  /** A token over data, as a signature carries it; `change` as in `respond`. */
  stamp(data: Uint8Array, change?: TimeStampChange): Buffer {
    return stamp(this.honest(messageImprint(data, 'sha256')), change)
  }

  private honest(imprint: Uint8Array): TimeStampParts {
    const signer = this.signer()
    return {
      signer,
      imprint,
      genTime: this.clock.now(),
      policy: POLICIES.timeStamping,
      nonce: undefined,
      certificates: [signer.certificate, ...this.chain()],
      hash: signer.key.hash,
    }
  }
}

const stamp = (honest: TimeStampParts, change?: TimeStampChange) => timeStampToken({ ...honest, ...change?.(honest) })
