import { fieldsOf } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { type DerElement, DerError, encoded } from '../der/reader.js'
import { digestParameters } from './digest.js'

/** AlgorithmIdentifier (RFC 5280, 4.1.1.2): `parameters` is the whole encoding of the element, `undefined` when absent. */
export interface AlgorithmIdentifier {
  readonly oid: string
  readonly parameters: Uint8Array | undefined
}

/** Reads an AlgorithmIdentifier; throws DerError. What the parameters may be is for the algorithm to say. */
export function readAlgorithmIdentifier(element: DerElement): AlgorithmIdentifier {
  const fields = fieldsOf(element)
  const oid = readOid(fields.any())
  const parameters = fields.done ? undefined : encoded(fields.any())
  fields.finish()
  return { oid, parameters }
}

/** Whether parameters are absent or an ASN.1 NULL, which algorithms without parameters take for the same. */
export const isAbsentOrNull = (parameters: Uint8Array | undefined): boolean =>
  parameters === undefined || (parameters.length === 2 && parameters[0] === 0x05 && parameters[1] === 0x00)

/** Whether parameters are those of a digest: absent or NULL (RFC 5754, 2), or the length of one that can have several. */
export function areDigestParameters({ oid, parameters }: AlgorithmIdentifier): boolean {
  const due = digestParameters(oid)
  if (due === undefined) return isAbsentOrNull(parameters)
  return parameters !== undefined && Buffer.compare(due, parameters) === 0
}

/** Reads the AlgorithmIdentifier of a digest and gives its OID; throws DerError when its parameters are not those of the digest. */
export function readDigestOid(element: DerElement): string {
  const algorithm = readAlgorithmIdentifier(element)
  if (!areDigestParameters(algorithm)) throw new DerError('digest algorithm has parameters')
  return algorithm.oid
}

/**
 * Whether two identifiers name the same algorithm with the same parameters; absent and NULL count as the same, but where
 * parameters must be absent in every place (RFC 8410, 3).
 */
export function sameAlgorithm(a: AlgorithmIdentifier, b: AlgorithmIdentifier): boolean {
  if (a.oid !== b.oid) return false
  if (isAbsentOrNull(a.parameters) && isAbsentOrNull(b.parameters) && !ALWAYS_ABSENT.has(a.oid)) return true
  if (a.parameters === undefined || b.parameters === undefined) return a.parameters === b.parameters
  return Buffer.compare(a.parameters, b.parameters) === 0
}

/** Ed25519 and Ed448. */
const ALWAYS_ABSENT: ReadonlySet<string> = new Set(['1.3.101.112', '1.3.101.113'])
