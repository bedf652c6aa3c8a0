import {
  type DevAuthorities,
  memoryCredentials,
  type PersonOptions,
  type Subject,
} from '@signed-registry/dev-authorities'
import type { Holder } from '#dev-authorities/cms/signed-data.js'
import { VALIDITY } from '#dev-authorities/hierarchy.js'
import { generateKey } from '#dev-authorities/keys.js'
import { signCertificate } from '#dev-authorities/x509/certificate.js'
import { name } from '#dev-authorities/x509/name.js'
import { caProfile } from '#dev-authorities/x509/profiles.js'
import { testAuthorities } from './authorities.js'

const impostors = memoryCredentials()

/** Authorities whose every name is the same as those of `testAuthorities`, and whose every key is another. */
export const impostorAuthorities = (options: Parameters<typeof testAuthorities>[0] = {}): DevAuthorities =>
  testAuthorities(options, impostors)

/** A CA that nobody has configured, made by itself. */
export function unknownCa(commonName = 'UNKNOWN CA'): Holder {
  const key = generateKey('p256')
  const subject = name(['CN', commonName], ['C', 'KZ'])
  const parts = { ...VALIDITY, subject, issuer: subject, spki: key.spki, extensions: caProfile(key.spki) }
  return { key, certificate: signCertificate(parts, key) }
}

/** A person whose certificate another person has issued, who is no CA. */
export function issuedByLeaf(
  authorities: DevAuthorities,
  options: PersonOptions = {},
): { leaf: Subject; person: Subject } {
  const leaf = authorities.person()
  return { leaf, person: authorities.person({ ...options, issuer: leaf }) }
}
