import { type DigestAlgorithm, digestAlgorithms } from '#verifier/algorithms/digest.js'
import type { PublicKey, SignatureScheme } from '#verifier/algorithms/key.js'
import { publicKey } from '#verifier/algorithms/public-key.js'
import { conformanceJson, requireConformance } from '../support/conformance.js'
import { Scoreboard } from '../support/scoreboard.js'

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

const byName = (name: string): DigestAlgorithm => {
  const digest = digestAlgorithms.find((one) => one.name === name)
  if (digest === undefined) throw new TypeError(`no digest ${name}`)
  return digest
}

function schemeOf(algorithm: string, group: Group, { kind }: PublicKey): SignatureScheme {
  if (kind === 'ed25519' || kind === 'ed448') return { oid: '', family: kind, digest: byName('SHA-512') }
  const digest = byName(group.sha ?? '')
  if (algorithm === 'ECDSA') return { oid: '', family: 'ecdsa', digest }
  if (group.mgfSha === undefined || group.sLen === undefined) return { oid: '', family: 'pkcs1', digest }
  return { oid: '', family: 'pss', digest, pss: { digest, mgfDigest: byName(group.mgfSha), saltLength: group.sLen } }
}

describe('conformance: Wycheproof', () => {
  before(function () {
    requireConformance(this, 'wycheproof/index.json')
  })

  it('gives the expected result for every vector of ECDSA, Ed25519, Ed448, RSA PKCS#1 v1.5 and RSA-PSS', () => {
    const score = new Scoreboard('Wycheproof')
    const { files } = conformanceJson<{ files: { file: string; tests: number }[] }>('wycheproof/index.json')
    for (const { file } of files) {
      const { algorithm, testGroups } = conformanceJson<Vectors>(`wycheproof/${file}`)
      for (const group of testGroups) judge(score, file, algorithm, group)
    }
    score.print()
    score.expectAllRight(files.reduce((sum, { tests }) => sum + tests, 0))
  })
})

function judge(score: Scoreboard, file: string, algorithm: string, group: Group): void {
  const key = publicKey(Buffer.from(group.publicKeyDer, 'hex'))
  const scheme = schemeOf(algorithm, group, key)
  for (const { tcId, comment, msg, sig, result } of group.tests) {
    const expected = result === 'valid' ? 'accept' : result === 'invalid' ? 'reject' : 'either'
    score.judge(`${file} ${tcId} ${comment}`, expected, () =>
      key.verify(scheme, Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex')),
    )
  }
}
