import { createHash } from 'node:crypto'

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const running = createHash('sha256')
  for (const part of parts) running.update(part)
  return running.digest()
}

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** The largest power of two below a number. */
const split = (n: number): number => 2 ** Math.ceil(Math.log2(n) - 1)

/** The tree as RFC 6962, 2.1 defines it, word by word: slow, and its own opinion. */
export function treeHash(entries: readonly Uint8Array[]): Buffer {
  const [first] = entries
  if (first === undefined) return sha256()
  if (entries.length === 1) return sha256(LEAF, first)
  const k = split(entries.length)
  return sha256(NODE, treeHash(entries.slice(0, k)), treeHash(entries.slice(k)))
}

/** `PATH(m, D[n])` of RFC 6962, 2.1.1. */
export function auditPath(m: number, entries: readonly Uint8Array[]): Buffer[] {
  if (entries.length === 1) return []
  const k = split(entries.length)
  return m < k
    ? [...auditPath(m, entries.slice(0, k)), treeHash(entries.slice(k))]
    : [...auditPath(m - k, entries.slice(k)), treeHash(entries.slice(0, k))]
}

/** `PROOF(m, D[n])` of RFC 6962, 2.1.2. */
export const consistencyPath = (m: number, entries: readonly Uint8Array[]): Buffer[] => subproof(m, entries, true)

function subproof(m: number, entries: readonly Uint8Array[], isWhole: boolean): Buffer[] {
  const n = entries.length
  if (m === n) return isWhole ? [] : [treeHash(entries)]
  const k = split(n)
  return m <= k
    ? [...subproof(m, entries.slice(0, k), isWhole), treeHash(entries.slice(k))]
    : [...subproof(m - k, entries.slice(k), false), treeHash(entries.slice(0, k))]
}
