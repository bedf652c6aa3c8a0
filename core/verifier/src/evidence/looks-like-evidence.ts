import type { ByteSource } from '../byte-source.js'
import { STATEMENT_FILE } from './known-files.js'
import { isContainer } from './read-container.js'

/** Media type of a bundle (EN 319 162-1, ASiC-E). */
export const BUNDLE_TYPE = 'application/vnd.etsi.asic-e+zip'

const END_SIZE = 64 * 1024

/** Whether a file looks like a bundle, and not like a container of others: it speaks of `evidence.json` near one of its ends. */
export function looksLikeEvidence(source: ByteSource): boolean {
  const { size } = source
  const ends = [
    [0, Math.min(size, END_SIZE)],
    [Math.max(0, size - END_SIZE), size],
  ] as const
  const speaks = ([from, to]: readonly [number, number]) => Buffer.from(source.read(from, to)).includes(STATEMENT_FILE)
  return isContainer(source, BUNDLE_TYPE) && ends.some(speaks)
}
