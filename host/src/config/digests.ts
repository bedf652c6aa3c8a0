/** Digest algorithms by the names that `DIGESTS` takes. */
export const DIGEST_OIDS = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  streebog256: '1.2.398.3.10.1.3.2',
  streebog512: '1.2.398.3.10.1.3.3',
  gost34311: '1.2.398.3.10.1.3.1',
} as const

/** Digest algorithms by the names that `RENEWAL_DIGESTS` takes; it takes OIDs, too. */
export const RENEWAL_DIGEST_OIDS = {
  ...DIGEST_OIDS,
  'sha3-384': '2.16.840.1.101.3.4.2.9',
  'sha3-512': '2.16.840.1.101.3.4.2.10',
} as const

/** The OIDs of digests that are named, or are OIDs; what is neither stays as it is. */
export const renewalDigestsOf = (names: readonly string[]): string[] =>
  names.map((name) => Object.entries(RENEWAL_DIGEST_OIDS).find(([known]) => known === name)?.[1] ?? name)

/** Larger originals are hashed only with the algorithms that nearly every signature uses: the others take seconds. */
const LARGE_BYTES = 64 * 2 ** 20

/** The default of `DIGESTS`: whichever certificate signs next, the hash that it needs is known. */
export const stockDigests = (size: number): readonly string[] =>
  size > LARGE_BYTES ? [DIGEST_OIDS.sha256, DIGEST_OIDS.streebog512] : Object.values(DIGEST_OIDS)
