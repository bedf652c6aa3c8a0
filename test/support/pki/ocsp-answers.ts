import type { DevAuthorities } from '@signed-registry/dev-authorities'
import { certId } from '#dev-authorities/authority/ocsp.js'
import type { Holder } from '#dev-authorities/cms/signed-data.js'
import {
  bitString,
  element,
  enumerated,
  explicit,
  generalizedTime,
  implicit,
  NULL,
  octetString,
  sequence,
} from '#dev-authorities/der/writer.js'
import { digest, type HashName } from '#dev-authorities/hashes.js'
import { certificateFields } from '#dev-authorities/x509/certificate.js'
import {
  type Extension,
  encodeExtension,
  extendedKeyUsage,
  keyUsage,
  ocspNoCheck,
  publicKeyBits,
} from '#dev-authorities/x509/extensions.js'
import { NOW } from './authorities.js'
import { type DelegateChanges, delegate } from './tokens.js'

const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'

export const honestResponderExtensions: readonly Extension[] = [
  keyUsage(['digitalSignature']),
  extendedKeyUsage([OCSP_SIGNING]),
  ocspNoCheck(),
]

/** An OCSP responder of its own key; honest unless changed. */
export const ocspResponder = (authorities: DevAuthorities, changes: DelegateChanges = {}): Holder =>
  delegate(authorities, { extensions: honestResponderExtensions, commonName: 'RESPONDER', ...changes })

/** Status in an answer: DER of CertStatus. */
export const certStatus = {
  good: implicit(0, NULL),
  unknown: implicit(2, NULL),
  revoked: (at: number, reason?: number) =>
    element(0xa1, generalizedTime(at), ...(reason === undefined ? [] : [explicit(0, enumerated(reason))])),
}

/** One SingleResponse, honest about `certificate` unless changed. */
export interface AnswerChanges {
  readonly certId?: Buffer
  readonly hash?: HashName
  readonly status?: Buffer
  readonly thisUpdate?: number
  readonly nextUpdate?: number
  readonly extensions?: readonly Extension[]
}

const extensionsOf = (list: readonly Extension[]) => explicit(1, sequence(...list.map(encodeExtension)))

export function answer(certificate: Buffer, issuer: Buffer, changes: AnswerChanges = {}): Buffer {
  const { nextUpdate, extensions } = changes
  return sequence(
    changes.certId ?? certId(certificate, issuer, changes.hash ?? 'sha256'),
    changes.status ?? certStatus.good,
    generalizedTime(changes.thisUpdate ?? NOW),
    ...(nextUpdate === undefined ? [] : [explicit(0, generalizedTime(nextUpdate))]),
    ...(extensions === undefined ? [] : [extensionsOf(extensions)]),
  )
}

/** What to change in a BasicOCSPResponse. */
export interface ResponseChanges {
  readonly by?: 'name' | 'key'
  /** Whole ResponderID. */
  readonly responderId?: Buffer
  readonly version?: Buffer
  readonly producedAt?: number
  readonly extensions?: readonly Extension[]
  readonly certificates?: readonly Buffer[]
  readonly hash?: HashName
  /** Written instead of the right one. */
  readonly signatureAlgorithm?: Buffer
}

/** A BasicOCSPResponse that `responder` signed. */
export function basicResponse(responder: Holder, answers: readonly Buffer[], changes: ResponseChanges = {}): Buffer {
  const { key, certificate } = responder
  const { extensions, hash = key.hash, certificates = [certificate] } = changes
  const honestId =
    changes.by === 'name'
      ? explicit(1, certificateFields(certificate).subject)
      : explicit(2, octetString(digest('sha1', publicKeyBits(key.spki))))
  const data = sequence(
    ...(changes.version === undefined ? [] : [explicit(0, changes.version)]),
    changes.responderId ?? honestId,
    generalizedTime(changes.producedAt ?? NOW),
    sequence(...answers),
    ...(extensions === undefined ? [] : [extensionsOf(extensions)]),
  )
  return sequence(
    data,
    changes.signatureAlgorithm ?? key.signatureAlgorithm(hash),
    bitString(key.sign(data, hash)),
    ...(certificates.length === 0 ? [] : [explicit(0, sequence(...certificates))]),
  )
}

/** The nonce extension of RFC 8954. */
export const nonceExtension = (nonce: Uint8Array): Extension => ({
  oid: '1.3.6.1.5.5.7.48.1.2',
  critical: false,
  value: octetString(nonce),
})
