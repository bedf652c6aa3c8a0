import { reportHtml, reportOf, type Trust } from '@signed-registry/verifier'
import { hashesOf, looksLikeEvidence } from '@signed-registry/verifier/evidence'
import { named } from '../named-files.js'
import { bundleVerdict } from './bundle-verdict.js'
import { byteSource } from './byte-source.js'
import type { EvidenceQuestion, ShownVerdict } from './question.js'
import { SHA256 } from './sha256.js'
import { shownSignature } from './shown.js'
import { verdictOn } from './verdict-on.js'

/** Judges a file and the documents beside it by nothing but what is given, and says it in plain data. */
export function judge(question: EvidenceQuestion, trust: Trust): ShownVerdict {
  const { file, language } = question
  const source = byteSource(file)
  const documents = named(question.beside).map((one) => ({ ...one, source: byteSource(one.file) }))
  const { verdict, digests, bundle } = looksLikeEvidence(source)
    ? bundleVerdict(source, documents, question, trust)
    : { ...verdictOn(source, documents, question, trust), bundle: undefined }
  const files = [
    { name: file.name, size: source.size, digests: hashesOf(source, [SHA256]) },
    ...documents.map(({ name, source: { size } }) => ({ name, size, digests: digests.get(name) ?? new Map() })),
  ]
  return {
    outcome: verdict.outcome,
    signatures: verdict.signatures.map((one) => shownSignature(one, language)),
    documents: verdict.documents,
    ...(bundle && { bundle }),
    report: reportHtml(reportOf(verdict, { language, files })),
  }
}
