import { type EvidenceVerdict, type Trust, verifyEvidence } from '@signed-registry/verifier'
import { type ByteSource, hashesOf, trustingOwnKey } from '@signed-registry/verifier/evidence'
import type { EvidenceQuestion, ShownBundle } from './question.js'
import { SHA256 } from './sha256.js'
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
  const oids = [SHA256, ...stated]
  const digests = new Map(beside.map((one) => [one.name, hashesOf(one.source, oids)]))
  return { verdict, digests, bundle: shownBundle(verdict, question) }
}

/** The verdict to a registry with this key. */
function withOwnWord(verdict: EvidenceVerdict, key: string | undefined): EvidenceVerdict {
  const { signedBy, said } = verdict.evidence
  return said === undefined
    ? verdict
    : { ...verdict, evidence: { ...verdict.evidence, signedBy: trustingOwnKey(signedBy, said, key) } }
}
