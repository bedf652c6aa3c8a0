import { type EvidenceVerdict, type Trust, verifyEvidence } from '@signed-registry/verifier'
import type { ByteSource } from '@signed-registry/verifier/evidence'
import { digestsOf, SHA256 } from './digests.js'
import type { EvidenceQuestion, ShownBundle } from './question.js'
import { shownBundle } from './shown-bundle.js'
import type { Beside, JudgedFiles } from './verdict-on.js'

/**
 * The verdict of the verifier on an evidence bundle, and what is shown of it; the documents beside it are hashed by all
 * algorithms that it has hashes of.
 */
export function bundleVerdict(
  source: ByteSource,
  beside: readonly Beside[],
  question: EvidenceQuestion,
  trust: Trust,
): JudgedFiles & { readonly bundle: ShownBundle } {
  const { at = Date.now(), key } = question
  const documents = beside.map(({ name, source: document }) => ({ name, document }))
  const judged = verifyEvidence(source, { trust, at, key, documents })
  const verdict = 'anchors' in question.trust ? withOwnWord(judged, question.trust.key) : judged
  const stated = verdict.evidence.said?.documents.flatMap(({ digests }) => Object.keys(digests)) ?? []
  const oids = new Set([SHA256, ...stated])
  const digests = new Map(beside.map((one) => [one.name, digestsOf(one.source, oids)]))
  return { verdict, digests, bundle: shownBundle(verdict, question) }
}

/** A registry trusts its own word, and does not hold it against a bundle that it is of another. */
function withOwnWord(verdict: EvidenceVerdict, key: string | undefined): EvidenceVerdict {
  const { signedBy, said } = verdict.evidence
  const isOwn = signedBy === 'notTrusted' && key !== undefined && said?.registry.statementKey === key
  return isOwn ? { ...verdict, evidence: { ...verdict.evidence, signedBy: 'trusted' } } : verdict
}
