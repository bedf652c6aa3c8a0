/**
 * Substitution of GOST 34.311-95 with the test parameters (1.2.398.3.10.1.3.1.1.0; `id-GostR3411-94-TestParamSet` of
 * RFC 5831): row i replaces the i-th four bits of a 32-bit word, the least significant first.
 */
export const SUBSTITUTION: readonly (readonly number[])[] = [
  [4, 10, 9, 2, 13, 8, 0, 14, 6, 11, 1, 12, 7, 15, 5, 3],
  [14, 11, 4, 12, 6, 13, 15, 10, 2, 3, 8, 1, 0, 7, 5, 9],
  [5, 8, 1, 13, 10, 3, 4, 2, 14, 15, 12, 7, 6, 0, 9, 11],
  [7, 13, 10, 1, 0, 8, 9, 15, 14, 4, 6, 12, 11, 2, 5, 3],
  [6, 12, 7, 1, 5, 15, 13, 8, 4, 10, 9, 14, 0, 3, 11, 2],
  [4, 11, 10, 0, 7, 2, 1, 13, 3, 6, 8, 5, 9, 12, 15, 14],
  [13, 11, 4, 1, 3, 15, 5, 9, 0, 10, 14, 7, 6, 8, 2, 12],
  [1, 15, 13, 0, 5, 7, 10, 4, 9, 2, 3, 14, 6, 11, 8, 12],
]

/** The constant C3 of key generation, lowest word first; C2 and C4 are zero. */
export const C3 = [0xff00ff00ff00ff00n, 0x00ff00ff00ff00ffn, 0xff0000ff00ffff00n, 0xff00ffff000000ffn]
