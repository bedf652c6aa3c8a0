import { timeStampRefusal } from '../evidence-refusal.js'
import type { Certificate } from '../x509/certificate.js'
import type { GeneralName } from '../x509/general-name.js'

export const ID_KP_TIME_STAMPING = '1.3.6.1.5.5.7.3.8'

/** RFC 3161 section 2.3: for time stamping and nothing else, and critically so. */
export function assertTimeStampingUsage({ extensions }: Certificate): void {
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

/** RFC 3161 section 2.4.2: the name in the token, when there is one, is a name of the signer's. */
export function assertNamesAuthority(name: GeneralName | undefined, signer: Certificate): void {
  if (name === undefined) return
  const isSubject = name.name?.equals(signer.subject) === true
  const isAlternative = signer.extensions.subjectAltName?.some((other) => sameName(name, other)) === true
  if (!isSubject && !isAlternative) throw timeStampRefusal('authorityName', { authority: name.value })
}

const sameName = (a: GeneralName, b: GeneralName): boolean =>
  a.type === b.type && (a.name !== undefined && b.name !== undefined ? a.name.equals(b.name) : a.value === b.value)
