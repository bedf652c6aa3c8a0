/** An affine point. */
export interface GostPoint {
  readonly x: bigint
  readonly y: bigint
}

/** The curve y^2 = x^3 + ax + b over the integers modulo p, with a base point of prime order q. */
export interface GostCurve {
  readonly name: string
  /** Octets of a coordinate, and of r and s each. */
  readonly length: 32 | 64
  readonly p: bigint
  readonly a: bigint
  readonly b: bigint
  readonly q: bigint
  /** Order of the group divided by q. */
  readonly cofactor: bigint
  readonly base: GostPoint
  /** The d of u^2 + v^2 = 1 + d u^2 v^2 where the curve has this form too: (u, v) = ((x - t)/y, (x - t - s)/(x - t + s)), s = (1 - d)/4, t = (1 + d)/6. */
  readonly edwards?: bigint
}

const P256 = 2n ** 256n - 617n
const P512 = 2n ** 512n - 569n

/** `id-tc26-gost-3410-12-512-paramSetA` (RFC 7836 A.1), the keys of 1.2.398.3.10.1.1.2.2 with parameters ...2.2.1. */
const tc26Gost512A: GostCurve = {
  name: 'tc26-512-A',
  length: 64,
  p: P512,
  a: P512 - 3n,
  b: 0xe8c2505dedfc86ddc1bd0b2b6667f1da34b82574761cb0e879bd081cfd0b6265ee3cb090f30d27614cb4574010da90dd862ef9d4ebee4761503190785a71c760n,
  q: 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff27e69532f48d89116ff22b8d4e0560609b4b38abfad2b85dcacdb1411f10b275n,
  cofactor: 1n,
  base: {
    x: 3n,
    y: 0x7503cfe87a836ae3a61b8816e25450e6ce5e1c93acf1abc1778064fdcbefa921df1626be4fd036e93d75e6a50e3a41e98028fe5fc235f5b889a589cb5215f2a4n,
  },
}

/**
 * `id-tc26-gost-3410-2012-256-paramSetA` in Weierstrass form (RFC 7836 A.2), for the keys of 1.2.398.3.10.1.1.2.1 with
 * parameters ...2.1.1: the set A of 256 bits that the standard's 512-bit sibling also comes from.
 */
const tc26Gost256A: GostCurve = {
  name: 'tc26-256-A',
  length: 32,
  p: P256,
  a: 0xc2173f1513981673af4892c23035a27ce25e2013bf95aa33b22c656f277e7335n,
  b: 0x295f9bae7428ed9ccc20e7c359a9d41a22fccd9108e17bf7ba9337a6f8ae9513n,
  q: 0x400000000000000000000000000000000fd8cddfc87b6635c115af556c360c67n,
  cofactor: 4n,
  base: {
    x: 0x91e38443a5e82c0d880923425712b2bb658b9196932e02c78b2582fe742daa28n,
    y: 0x32879423ab1a0375895786c4bb46e9565fde0b5344766740af268adb32322e5cn,
  },
  edwards: 0x605f6b7c183fa81578bc39cfad518132b9df62897009af7e522c32d6dc7bffbn,
}

/** `id-GostR3410-2001-CryptoPro-A-ParamSet` (RFC 4357 11.4), the keys of GOST 34.310-2004. */
const cryptoProA: GostCurve = {
  name: 'CryptoPro-A',
  length: 32,
  p: P256,
  a: P256 - 3n,
  b: 0xa6n,
  q: 0xffffffffffffffffffffffffffffffff6c611070995ad10045841b09b761b893n,
  cofactor: 1n,
  base: { x: 1n, y: 0x8d91e471e0989cda27df505a453f2b7635294f2ddf23e3b122acc99c9e9f1e14n },
}

/** The curves of the national algorithms. */
export const gostCurves = { tc26Gost512A, tc26Gost256A, cryptoProA } as const
