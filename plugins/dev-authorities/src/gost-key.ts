import { children, contents, encoded, readDer } from '@signed-registry/verifier'
import {
  encodeGostPublicKey,
  generateGostKeyPair,
  gostCurves,
  gostPublicKey,
  readLittleEndian,
  signGost3410,
  writeLittleEndian,
} from '@signed-registry/verifier/gost-signing'
import { bitString, integer, NULL, octetString, oid, sequence } from './der/writer.js'
import { digest, type HashName } from './hashes.js'
import { GOST, HASH_OIDS } from './oids.js'
import { pem, readPem } from './pem.js'
import type { SigningKey } from './signing-key.js'

const CURVE = gostCurves.tc26Gost512A
const ALGORITHM = sequence(oid(GOST.key), sequence(oid(GOST.curve), oid(HASH_OIDS.streebog512)))
const XML_METHOD = 'urn:ietf:params:xml:ns:pkigovkz:xmlsec:algorithms:gostr34102015-gostr34112015-512'

/** A new key of GOST 34.10-2015, 512 bits. */
export const generateGostKey = (): SigningKey => gostKey(generateGostKeyPair(CURVE).privateKey)

/** The key that `toPem` wrote, or undefined when it is of another algorithm. */
export function gostKeyFromPem(text: string): SigningKey | undefined {
  const [der = Buffer.alloc(0)] = readPem('PRIVATE KEY', text)
  const [, algorithm, wrapped] = children(readDer(der))
  if (algorithm === undefined || wrapped === undefined || !ALGORITHM.equals(encoded(algorithm))) return undefined
  return gostKey(readLittleEndian(contents(readDer(contents(wrapped)))))
}

function gostKey(privateKey: bigint): SigningKey {
  const point = octetString(encodeGostPublicKey(CURVE, gostPublicKey(CURVE, privateKey)))
  const sign = (data: Uint8Array, hash: HashName) => {
    if (hash !== 'streebog512') throw new TypeError(`The key has no signature algorithm with ${hash}`)
    return signGost3410(CURVE, privateKey, digest(hash, data))
  }
  const wrapped = octetString(octetString(writeLittleEndian(privateKey, CURVE.length)))
  return {
    family: 'gost',
    spki: sequence(ALGORITHM, bitString(point)),
    hash: 'streebog512',
    sign,
    signXml: sign,
    signatureAlgorithm: () => sequence(oid(GOST.signature), NULL),
    xmlMethod: () => XML_METHOD,
    toPem: () => pem('PRIVATE KEY', sequence(integer(0), ALGORITHM, wrapped)),
  }
}
