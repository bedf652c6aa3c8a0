import { digestAlgorithms } from '../algorithms/digest.js'

/** A file that was judged, or that something was judged by: what reports say of it. */
export interface ReportedFile {
  readonly name: string
  /** In bytes, where it is known. */
  readonly size?: number | undefined
  /** Digests by the OID of the algorithm. */
  readonly digests: ReadonlyMap<string, Uint8Array>
  /** True where somebody gave the digests, and the file was never here. */
  readonly isGiven?: boolean
}

/** A digest as reports have it. */
export interface DigestReport {
  readonly oid: string
  /** The name of the algorithm, where it is known. */
  readonly algorithm: string | undefined
  /** Lower-case hexadecimal. */
  readonly value: string
}

/** A file as reports have it. */
export interface FileReport {
  readonly name: string
  readonly size: number | undefined
  readonly digests: readonly DigestReport[]
  /** True where somebody gave the digests, and whoever judged never had the file. */
  readonly isGiven: boolean
}

/** Names a digest. */
export const digestReport = (oid: string, value: Uint8Array): DigestReport => ({
  oid,
  algorithm: digestAlgorithms.find((known) => known.oid === oid)?.name,
  value: Buffer.from(value).toString('hex'),
})

/** Names a file, its digests in the order of their OIDs. */
export const fileReport = ({ name, size, digests, isGiven = false }: ReportedFile): FileReport => ({
  name,
  size,
  digests: [...digests]
    .map(([oid, value]) => digestReport(oid, value))
    .sort((one, other) => (one.oid < other.oid ? -1 : 1)),
  isGiven,
})
