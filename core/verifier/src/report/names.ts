import { RegistryError } from '../error.js'
import type { Certificate } from '../x509/certificate.js'
import { type Identity, readIdentity } from '../x509/identity.js'
import type { Name } from '../x509/name.js'

const COMMON_NAME = '2.5.4.3'
const GIVEN_NAME = '2.5.4.42'
const ORGANIZATION = '2.5.4.10'

/** What people call the subject of a name: its common name, with the given name that Kazakh certificates keep apart. */
export function calledName(name: Name): string {
  const [common = name.texts(ORGANIZATION)[0]] = name.texts(COMMON_NAME)
  const [given] = name.texts(GIVEN_NAME)
  if (common === undefined) return name.toString()
  return given === undefined ? common : `${common} ${given}`
}

/** The person and the organization that a certificate names; nothing where it contradicts itself. */
export function identityOf(certificate: Certificate): Partial<Identity> {
  try {
    return readIdentity(certificate)
  } catch (error) {
    if (error instanceof RegistryError) return {}
    throw error
  }
}
