import { DerError } from '#verifier/der/reader.js'
import { RegistryError } from '#verifier/error.js'
import { buildPath } from '#verifier/path/build-path.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { conformanceFile, conformanceJson, requireConformance } from '../support/conformance.js'
import { Scoreboard } from '../support/scoreboard.js'

interface Case {
  readonly title: string
  readonly certs: readonly string[]
  readonly crls: readonly string[]
  readonly expected: 'valid' | 'invalid'
  readonly initialPolicySet: readonly string[]
  readonly initialExplicitPolicy: boolean
  readonly initialPolicyMappingInhibit: boolean
  readonly initialInhibitAnyPolicy: boolean
  readonly userConstrainedPolicySet: readonly string[]
}

interface Index {
  readonly time: string
  readonly policyOids: Readonly<Record<string, string>>
  readonly cases: readonly Case[]
}

/** PKITS has paths of 1024-bit DSA keys and SHA-1, which the default policy refuses. */
const algorithms = { minRsaBits: 2048, minDsaBits: 1024, digestsTrustedUntil: { '1.3.14.3.2.26': Infinity } }

describe('conformance: PKITS', () => {
  before(function () {
    requireConformance(this, 'pkits/index.json')
  })

  it('validates all 249 certification paths as expected, with CRLs and policies', () => {
    const { time, policyOids, cases } = conformanceJson<Index>('pkits/index.json')
    const oids = (names: readonly string[]) => names.map((name) => policyOids[name] as string)
    const board = new Scoreboard('PKITS')
    for (const test of cases)
      board.judge(test.title, test.expected === 'valid' ? 'accept' : 'reject', () => {
        const path = readable(() => buildPath(...inputsOf(test, Date.parse(time), oids)))
        if (path === undefined || test.expected === 'invalid') return path !== undefined
        // A valid path must also hold for the policies that are stated, and for no others.
        return [...path.policies].sort().join() === oids(test.userConstrainedPolicySet).sort().join()
      })
    board.print()
    board.expectAllRight(249)
  })
})

function inputsOf(test: Case, time: number, oids: (names: readonly string[]) => string[]) {
  const [anchor, ...others] = test.certs.map((name) => Certificate.parse(conformanceFile(`pkits/${name}`)))
  const leaf = others.pop()
  if (anchor === undefined || leaf === undefined) throw new TypeError(`${test.title} has no path`)
  // A CRL that cannot be read is as good as missing.
  const crls = test.crls.flatMap((name) => readable(() => Crl.parse(conformanceFile(`pkits/${name}`))) ?? [])
  const policies = {
    initial: oids(test.initialPolicySet),
    requireExplicit: test.initialExplicitPolicy,
    inhibitMapping: test.initialPolicyMappingInhibit,
    inhibitAnyPolicy: test.initialInhibitAnyPolicy,
  }
  const trust = { anchors: [anchor], intermediates: [], crls }
  return [leaf, { trust, candidates: others, time, algorithms, policies, crlUse: 'required' }] as const
}

/** What a reader or the verifier refuses with one of its own errors is undefined; anything else is a crash. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError || error instanceof RegistryError) return undefined
    throw error
  }
}
