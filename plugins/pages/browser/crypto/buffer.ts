import { Buffer } from 'buffer/index.js'

/*
 * `Buffer` of Node for the verifier in browsers: the package `buffer`, made to agree with Node where the verifier would
 * notice. esbuild puts it in for the global (packaging/verifier-in-browsers.mjs).
 */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const inherited = Buffer.prototype.toString

/** Node decodes broken UTF-8 as WHATWG has it (one U+FFFD for each maximal part), and knows base64url. */
Buffer.prototype.toString = function (this: Buffer, encoding = 'utf8', start = 0, end = this.length): string {
  if (encoding === 'utf8' || encoding === 'utf-8') return utf8.decode(this.subarray(start, end))
  if (encoding !== 'base64url') return inherited.call(this, encoding, start, end)
  const base64 = inherited.call(this, 'base64', start, end)
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const compare = (one: Uint8Array, other: Uint8Array): -1 | 0 | 1 => {
  const shorter = Math.min(one.length, other.length)
  for (let at = 0; at < shorter; at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0)
    if (difference !== 0) return difference < 0 ? -1 : 1
  }
  return one.length === other.length ? 0 : one.length < other.length ? -1 : 1
}

/** The package copies both before it compares them. */
Buffer.compare = compare

/** The package throws for a Uint8Array. */
Buffer.prototype.equals = function (this: Buffer, other: Uint8Array): boolean {
  return compare(this, other) === 0
}

export { Buffer }

/** Whether all octets are of ASCII (`node:buffer`). */
export const isAscii = (bytes: Uint8Array): boolean => bytes.every((octet) => octet < 0x80)
