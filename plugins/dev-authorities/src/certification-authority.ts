import type { Holder } from './cms/signed-data.js'
import type { HashName } from './hashes.js'
import type { SigningKey } from './signing-key.js'
import { certificateFields, newSerial, signCertificate } from './x509/certificate.js'
import { type Revocation, type RevocationReason, signCrl } from './x509/crl.js'
import { authorityKeyIdentifier, type Extension } from './x509/extensions.js'

const CRL_LIFE = 24 * 60 * 60 * 1000

export interface Issue {
  /** Name, DER. */
  readonly subject: Buffer
  readonly spki: Buffer
  readonly notBefore: number
  readonly notAfter: number
  readonly extensions: readonly Extension[]
  readonly hash?: HashName | undefined
}

/** A CA: issues certificates, remembers which, and revokes them. */
export class CertificationAuthority implements Holder {
  private readonly issued = new Set<string>()
  private readonly revocations = new Map<string, Revocation>()

  constructor(private readonly holder: Holder) {}

  get certificate(): Buffer {
    return this.holder.certificate
  }

  get key(): SigningKey {
    return this.holder.key
  }

  issue({ hash, extensions, ...parts }: Issue): Buffer {
    const serial = newSerial()
    const all = [...extensions, authorityKeyIdentifier(this.key.spki)]
    const issuer = certificateFields(this.certificate).subject
    this.issued.add(serial.toString('hex'))
    return signCertificate({ ...parts, issuer, serial, extensions: all }, this.key, hash)
  }

  /** Takes note of a certificate that it issued earlier, in another process. */
  recognize(certificate: Buffer): void {
    this.issued.add(serialOf(certificate))
  }

  revoke(certificate: Buffer, at: number, reason: RevocationReason): void {
    const { serial } = certificateFields(certificate)
    this.revocations.set(serial.toString('hex'), { serial, at, reason })
  }

  /** `serial` is INTEGER content octets in hexadecimal. */
  status(serial: string): 'good' | 'unknown' | Revocation {
    return this.revocations.get(serial) ?? (this.issued.has(serial) ? 'good' : 'unknown')
  }

  /** A complete CRL that is current at `now` and for a day after, DER. */
  crl(now: number): Buffer {
    return signCrl(
      {
        issuer: certificateFields(this.certificate).subject,
        number: now,
        thisUpdate: now,
        nextUpdate: now + CRL_LIFE,
        revocations: [...this.revocations.values()],
      },
      this.key,
    )
  }
}

const serialOf = (certificate: Buffer) => certificateFields(certificate).serial.toString('hex')
