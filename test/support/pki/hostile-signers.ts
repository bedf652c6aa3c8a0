import type { DevAuthorities, Subject } from '@signed-registry/dev-authorities'
import { type NameAttribute, name } from '#dev-authorities/x509/name.js'
import { DAY, NOW } from './authorities.js'
import { impostorAuthorities, issuedByLeaf, unknownCa } from './strangers.js'

/** Somebody whose signatures must be refused, with the code of the error. */
export interface HostileSigner {
  readonly signer: Subject
  readonly code: string
  /** Certificates to embed, the signer's first: an attacker sends along whatever may help. */
  readonly certificates: readonly Buffer[]
}

/** Signers whose certificates must be refused at `NOW`, by what is wrong with them. */
export function hostileSigners(authorities: DevAuthorities): ReadonlyMap<string, HostileSigner> {
  const entry = (code: string, signer: Subject, ...others: Buffer[]): HostileSigner => ({
    code,
    signer,
    certificates: [signer.certificate, ...others],
  })
  const impostors = impostorAuthorities()
  const ca = unknownCa()
  const { leaf, person: issued } = issuedByLeaf(authorities)
  const revoked = (at: number) => {
    const signer = authorities.person()
    authorities.revoke(signer, at)
    return entry('invalidCertificateStatus', signer)
  }
  const named = (...attributes: readonly NameAttribute[]) => authorities.person({ subject: name(...attributes) })
  const person = authorities.person()
  return new Map<string, HostileSigner>([
    ['revoked a day ago', revoked(NOW - DAY)],
    ['revoked at this moment', revoked(NOW)],
    ['expired', entry('signerCertificateNotValidNow', authorities.person({ validUntil: NOW - 1000 }))],
    ['not yet valid', entry('signerCertificateNotValidNow', authorities.person({ validFrom: NOW + 1000 }))],
    ['of an unknown issuer', entry('certificateIssuerUnknown', authorities.person({ issuer: ca }))],
    [
      'of an unknown issuer that comes along',
      entry('certificateIssuerUnknown', authorities.person({ issuer: ca }), ca.certificate),
    ],
    ['of an impostor CA with the same name', entry('certificateIssuerUnknown', impostors.person())],
    [
      'of an impostor CA whose path to its root comes along',
      entry('certificateIssuerUnknown', impostors.person(), ...impostors.intermediates, ...impostors.anchors),
    ],
    ['of a person who is no CA', entry('certificateIssuerUnknown', issued)],
    ['of a person who is no CA and comes along', entry('certificatePathNotBuilt', issued, leaf.certificate)],
    [
      'without key usage for documents',
      entry('badSignerCertificate', authorities.person({ keyUsages: ['digitalSignature'] })),
    ],
    ['with key usage of a CA', entry('badSignerCertificate', authorities.person({ keyUsages: ['keyCertSign'] }))],
    ['for authentication', entry('badSignerCertificate', authorities.authenticationCertificate(person))],
    ['for servers', entry('badSignerCertificate', authorities.person({ purposes: ['1.3.6.1.5.5.7.3.1'] }))],
    ['with an RSA key of 1024 bits', entry('algorithmNotTrusted', authorities.person({ algorithm: 'rsa1024' }))],
    ['certified with SHA-1', entry('algorithmNotTrusted', authorities.person({ hash: 'sha1' }))],
    ['certified with MD5', entry('algorithmNotTrusted', authorities.person({ issuer: 'rsa', hash: 'md5' }))],
    ['without an IIN', entry('badSignerCertificate', named(['CN', 'ТЕСТОВ ТЕСТ'], ['C', 'KZ']))],
    ['with an IIN of 11 digits', entry('badSignerCertificate', named(['SERIALNUMBER', 'IIN12345678901']))],
    [
      'with two IINs',
      entry('badSignerCertificate', named(['SERIALNUMBER', 'IIN123456789011'], ['SERIALNUMBER', 'IIN123456789012'])),
    ],
    ['with an IIN in another attribute', entry('badSignerCertificate', named(['CN', 'IIN123456789011'], ['C', 'KZ']))],
  ])
}
