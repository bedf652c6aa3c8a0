import type { AlgorithmEvaluation } from '../algorithms/evaluations.js'
import type { AlgorithmCatalogue } from './read-catalogue.js'

const END_OF_2028 = Date.UTC(2029, 0, 1)
const RSA_ARC = '1.2.840.113549.1.1'
const ECDSA_ARC = '1.2.840.10045.4.3'
const NIST_HASHES = '2.16.840.1.101.3.4.2'
const NIST_SIGNATURES = '2.16.840.1.101.3.4.3'

const until = (end: number): AlgorithmEvaluation[] => [{ until: end }]
const always: readonly AlgorithmEvaluation[] = [{}]
/** By digests from SHA-224 to SHA-512 and SHA3-224 to SHA3-512. */
const pkcs1: readonly AlgorithmEvaluation[] = [{ minBits: 1900, until: END_OF_2028 }]
const ecdsa: readonly AlgorithmEvaluation[] = [{ minBits: 224, until: Date.UTC(2021, 9, 1) }, { minBits: 256 }]
const of = (arc: string, numbers: readonly number[], evaluations: readonly AlgorithmEvaluation[]) =>
  numbers.map((number) => [`${arc}.${number}`, evaluations] as const)

/**
 * ETSI TS 119 312, version 1.5.1, as far as it is known to us: from the European Commission's DSS, which has it as a catalogue of
 * TS 119 322, issued on 2024-10-13; its sizes stand for 2048 and 3072 bits. National algorithms are not in it.
 */
export const etsiCatalogue: AlgorithmCatalogue = {
  name: 'ETSI ESI Cryptographic Suites',
  issuedAt: '2024-10-13',
  evaluations: Object.fromEntries([
    [`${NIST_HASHES}.4`, until(END_OF_2028)],
    ...of(NIST_HASHES, [1, 2, 3, 8, 9, 10], always),
    ...of(RSA_ARC, [11, 12, 13, 14], pkcs1),
    ...of(NIST_SIGNATURES, [13, 14, 15, 16], pkcs1),
    [`${RSA_ARC}.10`, [{ minBits: 1900, until: END_OF_2028 }, { minBits: 3000 }]],
    [`${ECDSA_ARC}.1`, [{ minBits: 256, until: END_OF_2028 }]],
    ...of(ECDSA_ARC, [2, 3, 4], ecdsa),
    ...of(NIST_SIGNATURES, [10, 11, 12], ecdsa),
    ...of('1.3.36.3.3.2.8.1.1', [7, 11, 13], always),
    ...['1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35'].map((curve) => [curve, always] as const),
  ]),
}
