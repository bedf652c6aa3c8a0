import { HASH_BYTES } from './merkle.js'

/** Octets in base64 with padding (RFC 4648, section 4), as one line of a checkpoint, a proof or an entry has them. */
export const writeBase64 = (octets: Uint8Array): string => Buffer.from(octets).toString('base64')

/** One octet or more that a line has in base64; undefined where it is not written in the one way. */
export function readBase64(line: string): Buffer | undefined {
  const octets = Buffer.from(line, 'base64')
  return octets.length > 0 && octets.toString('base64') === line ? octets : undefined
}

/** The hash that a line has in base64; undefined where it has none. */
export function readHash(line: string): Buffer | undefined {
  const octets = readBase64(line)
  return octets?.length === HASH_BYTES ? octets : undefined
}
