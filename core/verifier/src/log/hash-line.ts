import { HASH_BYTES } from './merkle.js'

/** A hash as a line of a checkpoint or a proof has it, in base64. */
export const writeHash = (hash: Uint8Array): string => Buffer.from(hash).toString('base64')

/** The hash that a line is; undefined where it is not one, written in the one way. */
export function readHash(line: string): Buffer | undefined {
  const hash = Buffer.from(line, 'base64')
  return hash.length === HASH_BYTES && hash.toString('base64') === line ? hash : undefined
}
