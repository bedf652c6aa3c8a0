import type { DigestAlgorithm } from '#verifier/algorithms/digest.js'
import type { PublicKey, SignatureScheme } from '#verifier/algorithms/key.js'
import { conformanceJson } from './conformance.js'

interface Group {
  readonly publicKeyDer: string
  /** Absent for Ed25519 and Ed448. */
  readonly sha?: string
  readonly mgfSha?: string
  readonly sLen?: number
  readonly tests: readonly { tcId: number; comment: string; msg: string; sig: string; result: string }[]
}
interface Vectors {
  readonly algorithm: string
  readonly testGroups: readonly Group[]
}

/** What verifies: the verifier's keys and digests. */
export interface Verifying {
  readonly publicKey: (spki: Uint8Array) => PublicKey
  readonly digestAlgorithms: readonly DigestAlgorithm[]
}

/** One vector. */
export interface WycheproofCase {
  readonly name: string
  readonly expected: 'accept' | 'reject' | 'either'
  verify(): boolean
}

const files = () => conformanceJson<{ files: { file: string; tests: number }[] }>('wycheproof/index.json').files

/** How many vectors there are. */
export const wycheproofTotal = (): number => files().reduce((sum, { tests }) => sum + tests, 0)

/** Every vector of every file, in order. */
export function* wycheproofCases(by: Verifying): Generator<WycheproofCase> {
  for (const { file } of files()) {
    const { algorithm, testGroups } = conformanceJson<Vectors>(`wycheproof/${file}`)
    for (const group of testGroups) {
      const key = by.publicKey(Buffer.from(group.publicKeyDer, 'hex'))
      const scheme = schemeOf(by, algorithm, group, key)
      for (const { tcId, comment, msg, sig, result } of group.tests)
        yield {
          name: `${file} ${tcId} ${comment}`,
          expected: result === 'valid' ? 'accept' : result === 'invalid' ? 'reject' : 'either',
          verify: () => key.verify(scheme, Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex')),
        }
    }
  }
}

function schemeOf(by: Verifying, algorithm: string, group: Group, { kind }: PublicKey): SignatureScheme {
  if (kind === 'ed25519' || kind === 'ed448') return { oid: '', family: kind, digest: named(by, 'SHA-512') }
  const digest = named(by, group.sha ?? '')
  if (algorithm === 'ECDSA') return { oid: '', family: 'ecdsa', digest }
  if (group.mgfSha === undefined || group.sLen === undefined) return { oid: '', family: 'pkcs1', digest }
  const mgfDigest = named(by, group.mgfSha)
  return { oid: '', family: 'pss', digest, pss: { digest, mgfDigest, saltLength: group.sLen } }
}

function named({ digestAlgorithms }: Verifying, name: string): DigestAlgorithm {
  const digest = digestAlgorithms.find((one) => one.name === name)
  if (digest === undefined) throw new TypeError(`no digest ${name}`)
  return digest
}
