import { RegistryError } from '../error.js'
import { type LeafText, NONE } from '../log/leaf-text.js'
import type { ReadSignature } from '../signature.js'
import { readAnswer } from '../status/ocsp-answer.js'
import { sha256 } from './hashes-of.js'
import type { OpenSignature } from './open-evidence.js'
import type { OpenLog } from './open-log.js'
import { isSameSignature } from './same-signature.js'
import { coverageText } from './stated-coverage.js'
import type { DocumentStatement, SignatureStatement } from './statement.js'

/** What a logged signature is compared with. */
export interface LoggedSignature extends Pick<OpenSignature, 'signed' | 'timeStamp' | 'ocsp' | 'crls' | 'log'> {
  readonly statement: Pick<SignatureStatement, 'signId' | 'storedAt' | 'signature' | 'coverage' | 'log'>
}

/** What a bundle says of a document. */
export type SaidDocument = Pick<DocumentStatement, 'documentId' | 'storedAt'>

/** What logged hashes of a document are compared with. */
export interface LoggedDocument {
  readonly statement: Pick<DocumentStatement, 'documentId' | 'storedAt' | 'size' | 'digests' | 'log'>
  readonly log: OpenLog | undefined
}

/** The name of the first field of a logged signature that is not as the bundle has it; `kind` for another entry. */
export function signatureDiffers(
  { kind, fields }: LeafText,
  document: SaidDocument,
  { statement, signed, timeStamp, ocsp, crls, log }: LoggedSignature,
  read: Pick<ReadSignature, 'digests'> | undefined,
): string | undefined {
  if (kind !== 'signature') return 'kind'
  const received = log?.received ?? signed
  if (received !== signed && !isSameSignature(received, signed)) return 'signature'
  const due = new Map<string, string>([
    ['documentId', document.documentId],
    ['documentStoredAt', document.storedAt],
    ['signId', `${statement.signId}`],
    ['storedAt', statement.storedAt],
    ['signature', sha256(received)],
    ['timeStamp', sha256(timeStamp)],
    ['ocsp', ocsp === undefined ? NONE : basicHash(ocsp)],
    ['crls', crls.length === 0 ? NONE : words(crls.map(sha256))],
    ['digests', words((read?.digests ?? []).map(({ oid, value }) => `${oid}:${Buffer.from(value).toString('hex')}`))],
  ])
  const coverage = statement.coverage && coverageText(statement.coverage)
  if (fields.get('coverage') !== coverage) return 'coverage'
  // Stored lists have no order of their own.
  const logged = (name: string) => {
    const value = fields.get(name)
    return name === 'crls' || name === 'digests' ? value && words(value.split(' ')) : value
  }
  return [...due].find(([name, value]) => logged(name) !== value)?.[0]
}

/** As `signatureDiffers`, for the hashes of a document; hashes that were fixed later have entries of their own. */
export function digestsDiffer({ kind, fields }: LeafText, { statement }: LoggedDocument): string | undefined {
  if (kind !== 'digests') return 'kind'
  const { documentId, storedAt, size, digests } = statement
  const due = Object.entries({ documentId, documentStoredAt: storedAt, size: `${size}` })
  const other = due.find(([name, value]) => fields.get(name) !== value)
  if (other !== undefined) return other[0]
  const logged = (fields.get('digests') ?? '').split(' ')
  const stated = new Set(Object.entries(digests).map(([oid, hex]) => `${oid}:${hex}`))
  return logged.every((one) => stated.has(one)) ? undefined : 'digests'
}

/** OIDs of hashes that the bundle has of a document and the entry does not. */
export function digestsNotLogged({ fields }: LeafText, { statement }: LoggedDocument): string[] {
  const logged = new Set((fields.get('digests') ?? '').split(' '))
  const stated = Object.entries(statement.digests)
  return stated.flatMap(([oid, hex]) => (logged.has(`${oid}:${hex}`) ? [] : [oid])).sort()
}

/** SHA-256 of a BasicOCSPResponse, also of that in an OCSPResponse, in hexadecimal; empty where it cannot be read. */
export function basicHash(ocsp: Uint8Array): string {
  try {
    return sha256(readAnswer(ocsp).response)
  } catch (error) {
    if (error instanceof RegistryError) return ''
    throw error
  }
}

const words = (all: readonly string[]): string => [...new Set(all)].sort().join(' ')
