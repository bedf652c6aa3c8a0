import { createPrivateKey } from 'node:crypto'
import type { CertificationAuthority } from '#dev-authorities/certification-authority.js'
import { generalizedTime } from '#dev-authorities/der/writer.js'
import { certificateFields } from '#dev-authorities/x509/certificate.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { DAY, NOW } from './authorities.js'
import { extension, reasonCode } from './extensions.js'
import { issueCrl } from './hierarchy.js'

/** CRLReason by name, as far as tests use it. */
export const REASON = { keyCompromise: 1, superseded: 4, certificateHold: 6 } as const
export type Reason = keyof typeof REASON

/** What a CRL says of one certificate. */
interface Listed {
  readonly at?: number
  readonly reason?: Reason
  readonly invalidSince?: number
  readonly thisUpdate?: number
}

/** A CRL of one of the authorities that lists one certificate. */
export function listing(by: CertificationAuthority, certificate: Buffer, listed: Listed = {}): Buffer {
  const { at = NOW - DAY, reason = 'superseded', invalidSince, thisUpdate = NOW } = listed
  const entity = { certificate: Certificate.parse(by.certificate), key: createPrivateKey(by.key.toPem()) }
  const extensions = [
    reasonCode(REASON[reason]),
    ...(invalidSince === undefined ? [] : [extension('2.5.29.24', generalizedTime(invalidSince))]),
  ]
  const revoked = [{ serial: certificateFields(certificate).serial, at, extensions }]
  return Buffer.from(issueCrl(entity, { thisUpdate, nextUpdate: thisUpdate + DAY, revoked }).der)
}
