import type { DevAuthorities } from '@signed-registry/dev-authorities'
import { messageImprint } from '#dev-authorities/authority/time-stamping.js'
import {
  type Attribute,
  contentType,
  messageDigest,
  signingCertificateV2,
  signingTime,
} from '#dev-authorities/cms/attributes.js'
import { type Holder, signedData, signerInfo } from '#dev-authorities/cms/signed-data.js'
import { generalizedTime, integer, oid, sequence } from '#dev-authorities/der/writer.js'
import { digestAlgorithm, type HashName } from '#dev-authorities/hashes.js'
import type { IssuerName } from '#dev-authorities/hierarchy.js'
import { generateKey, type KeyKind } from '#dev-authorities/keys.js'
import type { Extension } from '#dev-authorities/x509/extensions.js'
import { extendedKeyUsage, keyUsage } from '#dev-authorities/x509/extensions.js'
import { name } from '#dev-authorities/x509/name.js'
import { DAY, NOW } from './authorities.js'

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'

/** What to change in the certificate of a delegate; the rest is honest. */
export interface DelegateChanges {
  readonly extensions?: readonly Extension[]
  readonly issuer?: IssuerName
  readonly kind?: KeyKind
  readonly notBefore?: number
  readonly notAfter?: number
  readonly commonName?: string
  readonly key?: ReturnType<typeof generateKey>
}

/** Somebody whom an issuing CA certified with these extensions. */
export function delegate(authorities: DevAuthorities, changes: DelegateChanges): Holder {
  const key = changes.key ?? generateKey(changes.kind ?? 'p256')
  const certificate = authorities.hierarchy.issuing(changes.issuer ?? 'rsa').issue({
    subject: name(['CN', changes.commonName ?? 'DELEGATE'], ['C', 'KZ']),
    spki: key.spki,
    notBefore: changes.notBefore ?? NOW - DAY,
    notAfter: changes.notAfter ?? NOW + 365 * DAY,
    extensions: changes.extensions ?? [],
  })
  return { key, certificate }
}

export const honestTsaExtensions: readonly Extension[] = [
  keyUsage(['digitalSignature']),
  extendedKeyUsage([TIME_STAMPING], true),
]

/** A time-stamping authority of its own key; honest unless changed. */
export const timeStamper = (authorities: DevAuthorities, changes: DelegateChanges = {}): Holder =>
  delegate(authorities, { extensions: honestTsaExtensions, commonName: 'TSA', ...changes })

/** Fields of a TSTInfo in their order; each is DER, an empty one is left out. */
export interface InfoFields {
  readonly version: Buffer
  readonly policy: Buffer
  readonly imprint: Buffer
  readonly serialNumber: Buffer
  readonly genTime: Buffer
  readonly accuracy: Buffer
  readonly ordering: Buffer
  readonly nonce: Buffer
  readonly tsa: Buffer
  readonly extensions: Buffer
  /** After everything that is allowed. */
  readonly more: Buffer
}

const ABSENT = Buffer.alloc(0)

/** A TSTInfo over data, with some fields changed. */
export function tstInfo(data: Uint8Array, changes: Partial<InfoFields> = {}): Buffer {
  const fields: InfoFields = {
    version: integer(1),
    policy: oid('1.2.398.3.3.2.6.4'),
    imprint: messageImprint(data, 'sha256'),
    serialNumber: integer(4711),
    genTime: generalizedTime(NOW),
    accuracy: ABSENT,
    ordering: ABSENT,
    nonce: ABSENT,
    tsa: ABSENT,
    extensions: ABSENT,
    more: ABSENT,
    ...changes,
  }
  return sequence(...Object.values(fields))
}

/** What to change in a token; the rest is honest. */
export interface TokenChanges {
  readonly content?: Buffer
  readonly contentType?: string
  readonly certificates?: readonly Buffer[]
  readonly hash?: HashName
  readonly attributes?: (honest: readonly Attribute[]) => readonly Attribute[]
  /** How many SignerInfos. */
  readonly signers?: number
}

const TST_INFO = '1.2.840.113549.1.9.16.1.4'

/** A token that `signer` signed over a TSTInfo. */
export function tokenOf(signer: Holder, info: Buffer, changes: TokenChanges = {}): Buffer {
  const { hash = signer.key.hash, contentType: type = TST_INFO } = changes
  const honest = [
    contentType(TST_INFO),
    signingTime(NOW),
    messageDigest(info, hash),
    signingCertificateV2(signer.certificate),
  ]
  const signedAttributes = changes.attributes?.(honest) ?? honest
  return signedData({
    contentType: type,
    content: changes.content ?? info,
    digestAlgorithms: [digestAlgorithm(hash)],
    certificates: changes.certificates ?? [signer.certificate],
    signerInfos: Array.from({ length: changes.signers ?? 1 }, () =>
      signerInfo({ signer, hash, content: info, signedAttributes }),
    ),
  })
}
