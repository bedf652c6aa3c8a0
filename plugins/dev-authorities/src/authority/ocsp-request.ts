import { children, contents, encoded, readDer } from '@signed-registry/verifier'
import { oid } from '../der/writer.js'
import { digest, hashOf } from '../hashes.js'
import { OCSP } from '../oids.js'
import { certificateFields } from '../x509/certificate.js'
import { publicKeyBits } from '../x509/extensions.js'

/** A CertID of a request. */
export interface AskedCertId {
  readonly der: Uint8Array
  /** INTEGER content octets in hexadecimal. */
  readonly serial: string
  isUnder(issuer: Uint8Array): boolean
}

export function readCertId(der: Uint8Array): AskedCertId {
  const [algorithm, nameHash, keyHash, serial] = children(readDer(der))
  const [hashOid] = algorithm === undefined ? [] : children(algorithm)
  if (!hashOid || !nameHash || !keyHash || !serial) throw new TypeError('Not a CertID')
  const hash = hashOf(encoded(hashOid))
  return {
    der,
    serial: Buffer.from(contents(serial)).toString('hex'),
    isUnder(issuer) {
      if (hash === undefined) return false
      const { subject, spki } = certificateFields(issuer)
      return (
        digest(hash, subject).equals(contents(nameHash)) && digest(hash, publicKeyBits(spki)).equals(contents(keyHash))
      )
    },
  }
}

export interface OcspRequest {
  readonly certIds: readonly AskedCertId[]
  /** DER inside the nonce extension. */
  readonly nonce: Uint8Array | undefined
}

const MAX_CERTIFICATES = 10

/** What an OCSPRequest asks (RFC 6960 4.1), or undefined when it is none. */
export function readOcspRequest(request: Uint8Array): OcspRequest | undefined {
  try {
    const [tbs] = children(readDer(request))
    const members = tbs === undefined ? [] : children(tbs)
    const list = members.find(({ tag }) => tag === 0x30)
    const extensions = members.find(({ tag }) => tag === 0xa2)
    if (list === undefined) return undefined
    const certIds = children(list, MAX_CERTIFICATES).map((single) => {
      const [id] = children(single)
      if (id === undefined) throw new TypeError('Not a Request')
      return readCertId(encoded(id))
    })
    return certIds.length === 0 ? undefined : { certIds, nonce: extensions && readNonce(encoded(extensions)) }
  } catch {
    return undefined
  }
}

function readNonce(extensions: Uint8Array): Uint8Array | undefined {
  const [list] = children(readDer(extensions))
  for (const extension of list === undefined ? [] : children(list)) {
    const members = children(extension)
    const [type] = members
    const value = members.at(-1)
    if (type && value && oid(OCSP.nonce).equals(encoded(type))) return contents(value)
  }
  return undefined
}
