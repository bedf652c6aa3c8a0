import { readBase64, readHash, writeBase64 } from './base64.js'
import { isCount, readDecimal } from './decimal.js'
import { logErrors } from './errors.js'
import { HASH_BYTES, MAX_PROOF_HASHES } from './merkle.js'

const TITLE = 'c2sp.org/tlog-proof@v1'
const EXTRA = 'extra '
const INDEX = 'index '

/** Octets of the longest extra data that is read. */
export const MAX_EXTRA_BYTES = 0x20000

/** Characters of the longest proof that is read. */
const MAX_CHARACTERS = 2 * 1024 * 1024

/** A proof that an entry is logged, to be kept as a file (C2SP tlog-proof). */
export interface LogProof {
  /** What else is needed to know the entry; nothing vouches for it but the hash of the entry. */
  readonly extra?: Uint8Array | undefined
  readonly index: number
  /** The inclusion proof, the sibling of the leaf first. */
  readonly hashes: readonly Uint8Array[]
  /** The signed note of the checkpoint, verbatim. */
  readonly checkpoint: string
}

/** The text of a proof; throws RangeError for what cannot be one. */
export function writeLogProof({ extra, index, hashes, checkpoint }: LogProof): string {
  const isExtra = extra === undefined || (extra.length > 0 && extra.length <= MAX_EXTRA_BYTES)
  const areHashes = hashes.length <= MAX_PROOF_HASHES && hashes.every(({ length }) => length === HASH_BYTES)
  if (!isExtra || !areHashes || !isCount(index)) throw new RangeError('This cannot be a proof of a log')
  const head = [
    TITLE,
    ...(extra === undefined ? [] : [`${EXTRA}${writeBase64(extra)}`]),
    `${INDEX}${index}`,
    ...hashes.map(writeBase64),
  ]
  return `${head.join('\n')}\n\n${checkpoint}`
}

/** Reads a proof and verifies nothing, neither in it nor of its checkpoint; throws `logNotRead` with reason `proof`. */
export function readLogProof(text: string): LogProof {
  const end = text.indexOf('\n\n')
  if (end < 0 || text.length > MAX_CHARACTERS) throw malformed()
  const [title, ...lines] = text.slice(0, end).split('\n', MAX_PROOF_HASHES + 4)
  const extra = lines[0]?.startsWith(EXTRA) ? readExtra(lines.shift() ?? '') : undefined
  const indexLine = lines.shift() ?? ''
  const index = indexLine.startsWith(INDEX) ? readDecimal(indexLine.slice(INDEX.length)) : undefined
  if (title !== TITLE || index === undefined || lines.length > MAX_PROOF_HASHES) throw malformed()
  const hashes = lines.map((line) => readHash(line) ?? refuse())
  return { ...(extra !== undefined && { extra }), index, hashes, checkpoint: text.slice(end + 2) }
}

function readExtra(line: string): Buffer {
  const extra = readBase64(line.slice(EXTRA.length))
  if (extra === undefined || extra.length > MAX_EXTRA_BYTES) throw malformed()
  return extra
}

function refuse(): never {
  throw malformed()
}

const malformed = () => logErrors.error('logNotRead', { reason: 'proof' })
