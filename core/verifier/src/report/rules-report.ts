import { type AlgorithmPolicy, defaultAlgorithmPolicy } from '../algorithms/policy.js'
import { RULES_VERSION, VERIFIER_VERSION } from '../version.js'

/** By which rules was judged. */
export interface RulesReport {
  readonly verifier: string
  readonly version: string
  readonly rules: string
  /** The algorithm policy: each of its settings by its path, in the order of these. */
  readonly algorithms: Readonly<Record<string, string>>
}

/** Names the rules. */
export const rulesReport = (algorithms: AlgorithmPolicy = defaultAlgorithmPolicy): RulesReport => ({
  verifier: '@signed-registry/verifier',
  version: VERIFIER_VERSION,
  rules: RULES_VERSION,
  algorithms: Object.fromEntries(settings('', algorithms).sort(([one], [other]) => (one < other ? -1 : 1))),
})

function settings(path: string, value: unknown): [string, string][] {
  if (typeof value === 'function' || value === undefined) return []
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => settings(path === '' ? key : `${path}/${key}`, inner))
}
