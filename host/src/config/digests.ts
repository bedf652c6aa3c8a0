/** Digest algorithms by the names that `DIGESTS` takes. */
export const DIGEST_OIDS = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  streebog256: '1.2.398.3.10.1.3.2',
  streebog512: '1.2.398.3.10.1.3.3',
  gost34311: '1.2.398.3.10.1.3.1',
} as const

/** Larger originals are hashed only with the algorithms that nearly every signature uses: the others take seconds. */
const LARGE_BYTES = 64 * 2 ** 20

/** The default of `DIGESTS`: whichever certificate signs next, the hash that it needs is known. */
export const stockDigests = (size: number): readonly string[] =>
  size > LARGE_BYTES ? [DIGEST_OIDS.sha256, DIGEST_OIDS.streebog512] : Object.values(DIGEST_OIDS)
