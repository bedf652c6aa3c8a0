import { fieldsOf } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { type DerElement, DerError, encoded } from '../der/reader.js'
import { digestParameters } from './digest.js'

/** AlgorithmIdentifier (RFC 5280, 4.1.1.2); `parameters` is the complete element in DER, `undefined` when absent. */
export interface AlgorithmIdentifier {
  readonly oid: string
  readonly parameters: Uint8Array | undefined
}

/** Reads an AlgorithmIdentifier without checking its parameters; throws DerError. */
export function readAlgorithmIdentifier(element: DerElement): AlgorithmIdentifier {
  const fields = fieldsOf(element)
  const oid = readOid(fields.any())
  const parameters = fields.done ? undefined : encoded(fields.any())
  fields.finish()
  return { oid, parameters }
}

/** Whether parameters are absent or an ASN.1 NULL, which are equivalent for algorithms without parameters. */
export const isAbsentOrNull = (parameters: Uint8Array | undefined): boolean =>
  parameters === undefined || (parameters.length === 2 && parameters[0] === 0x05 && parameters[1] === 0x00)

/** Whether parameters are right for a digest: absent or NULL (RFC 5754, 2), or the output length of SHAKE. */
export function areDigestParameters({ oid, parameters }: AlgorithmIdentifier): boolean {
  const due = digestParameters(oid)
  if (due === undefined) return isAbsentOrNull(parameters)
  return parameters !== undefined && Buffer.compare(due, parameters) === 0
}

/** The OID in the AlgorithmIdentifier of a digest; throws DerError for wrong parameters. */
export function readDigestOid(element: DerElement): string {
  const algorithm = readAlgorithmIdentifier(element)
  if (!areDigestParameters(algorithm)) throw new DerError('digest algorithm has parameters')
  return algorithm.oid
}

/**
 * Whether two identifiers name the same algorithm with the same parameters. Absent and NULL are equal, except for algorithms
 * whose parameters must be absent (RFC 8410, 3).
 */
export function sameAlgorithm(a: AlgorithmIdentifier, b: AlgorithmIdentifier): boolean {
  if (a.oid !== b.oid) return false
  if (isAbsentOrNull(a.parameters) && isAbsentOrNull(b.parameters) && !ALWAYS_ABSENT.has(a.oid)) return true
  if (a.parameters === undefined || b.parameters === undefined) return a.parameters === b.parameters
  return Buffer.compare(a.parameters, b.parameters) === 0
}

/** Ed25519 and Ed448. */
const ALWAYS_ABSENT: ReadonlySet<string> = new Set(['1.3.101.112', '1.3.101.113'])
