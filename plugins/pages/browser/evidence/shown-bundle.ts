import { type EvidenceVerdict, evidenceReport, reportWords } from '@signed-registry/verifier'
import { statedDigests } from '@signed-registry/verifier/evidence'
import { toBase64 } from '../bytes.js'
import type { EvidenceQuestion, ShownBundle } from './question.js'
import { SHA256 } from './sha256.js'

/** What is shown of a bundle: the report on it, in words of the visitor's language. */
export function shownBundle(
  verdict: EvidenceVerdict,
  { language, trust }: Pick<EvidenceQuestion, 'language' | 'trust'>,
): ShownBundle {
  const words = reportWords[language]
  const { evidence, label } = words
  return {
    ...evidenceReport(verdict, words),
    says: evidence.outcome[verdict.outcome],
    strangerSays: evidence.stranger,
    digests: digestsShown(verdict),
    label,
    isOwn: 'anchors' in trust && verdict.evidence.signedBy === 'trusted',
  }
}

/** What registered documents are found by: of documents that were shown and are the ones that the bundle describes. */
function digestsShown({ outcome, evidence: { said, documents } }: EvidenceVerdict): string[] {
  if (outcome === 'wrong' || said === undefined) return []
  return said.documents.flatMap(({ digests }, index) => {
    if (documents[index]?.original === 'notShown') return []
    const own = statedDigests(digests)
    const digest = own.get(SHA256) ?? [...own.values()][0]
    return digest === undefined ? [] : [toBase64(digest)]
  })
}
