import { code, digestLine, fact, facts, lines } from '../html-facts.js'
import { type Content, element } from '../markup.js'
import type { ReportWords } from '../words-en.js'
import type { EvidenceReport, SaidDocument } from './evidence-report.js'

/** What is wrong with a bundle, and what to do about each. */
export const problemsSection = ({ problems }: EvidenceReport, { label }: ReportWords): Content =>
  problems.length === 0
    ? undefined
    : element(
        'section',
        {},
        element('h2', {}, label.bundleProblems),
        problems.map(({ outcome, says, next, file }) => [
          element('p', { class: `says ${outcome}` }, says),
          facts(fact(label.file, file && code(file)), fact(label.next, next)),
        ]),
      )

/** Documents of a bundle that nobody has shown. */
export const notShownFacts = ({ documents }: EvidenceReport): Content[] =>
  documents.flatMap(({ original, originalSays, name }) =>
    original === 'notShown' ? [fact(name, element('strong', {}, originalSays))] : [],
  )

/** What the registry says, apart from everything that is proved. */
export function registrySection({ registrySays, signedBySays }: EvidenceReport, words: ReportWords): Content {
  if (registrySays === undefined) return undefined
  const { label } = words
  const { registry, rules, asOf, package: of, documents } = registrySays
  return element(
    'section',
    {},
    element('h2', {}, label.registrySays),
    element('p', { class: 'says' }, label.registryWord),
    facts(
      fact(label.statementBy, element('strong', {}, signedBySays)),
      fact(label.registry, lines([registry.name, registry.origin])),
      fact(label.registryKey, code(registry.statementKey)),
      fact(label.asOf, asOf),
      fact(label.rules, rules),
      fact(
        label.package,
        of && lines([of.title, code(of.packageId), of.description || undefined, `${label.registered}: ${of.storedAt}`]),
      ),
    ),
    documents.map((one) => documentContent(one, words)),
  )
}

const documentContent = (
  { documentId, title, description, storedAt, size, digests, signatures }: SaidDocument,
  { label }: ReportWords,
): Content => [
  element('h3', {}, `${label.document}: ${title}`),
  description === '' ? undefined : element('p', {}, description),
  facts(
    fact(label.identifier, code(documentId)),
    fact(label.registered, storedAt),
    fact(label.original, lines([`${size} ${label.bytes}`, ...digests.map(digestLine)])),
    fact(
      label.signatures,
      lines(
        signatures.map(({ signId, file, storedAt: at }) => [`${signId}, `, code(file), `, ${label.registered}: ${at}`]),
      ),
    ),
  ),
]
