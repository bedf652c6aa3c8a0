import { code, fact, facts, lines } from '../html-facts.js'
import { type Content, element } from '../markup.js'
import type { ReportWords } from '../words-en.js'
import type { ChainReport, RecordReport } from './record-report.js'

/** What evidence records prove of signatures, apart from these and from what only the registry says. */
export const recordsSection = (records: readonly RecordReport[], words: ReportWords): Content =>
  records.length === 0
    ? undefined
    : element(
        'section',
        {},
        element('h2', {}, words.label.records),
        records.map((one) => [
          element('h3', {}, `${words.label.signature} ${one.signId}`),
          element('p', { class: one.state === 'wrong' ? 'says wrong' : '' }, one.says),
          recordFacts(one, words),
        ]),
      )

const recordFacts = ({ file, reason, proof }: RecordReport, { label }: ReportWords): Content =>
  facts(
    fact(label.file, code(file)),
    fact(label.refusal, reason),
    ...(proof === undefined
      ? []
      : [
          fact(label.existedAt, element('strong', {}, proof.existedAt)),
          fact(label.holdsUntil, proof.holdsUntilSays),
          fact(label.recordChains, lines(proof.chains.map(chainLine))),
        ]),
  )

const chainLine = ({ oid, algorithm, stamps }: ChainReport): Content => [
  `${algorithm ?? ''} (${oid}): ${stamps.join(', ')}`,
]
