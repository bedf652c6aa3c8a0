import { port } from './port.js'
import type { Injected } from './service.js'

/** A certificate that somebody has to renew before it ends. */
export interface CertificateInUse {
  /** What it is for: a few words, the same in every version. */
  readonly use: string
  readonly subject: string
  /** UNIX milliseconds. */
  readonly endsAt: number
}

/** Names the certificates that a part uses, now. */
export interface CertificatesInUse {
  certificates(): readonly CertificateInUse[]
}
export const CertificatesInUse = port<CertificatesInUse>('CertificatesInUse', 'contribution')

/** More are not told: trusted lists may have thousands. */
const MAX_TOLD = 200

/** All certificates in use, for metrics and checks. */
export class AllCertificates {
  static readonly inject = { parts: CertificatesInUse }

  constructor(private readonly use: Injected<typeof AllCertificates.inject>) {}

  /** At most 200, those that end first before the others. */
  list(): readonly CertificateInUse[] {
    return this.use.parts
      .flatMap((part) => part.certificates())
      .sort((a, b) => a.endsAt - b.endsAt)
      .slice(0, MAX_TOLD)
  }
}
