import { code, fact, facts, lines } from '../html-facts.js'
import { type Content, element } from '../markup.js'
import type { ReportWords } from '../words-en.js'
import type { LogReport } from './log-report.js'

/** What the transparency log proves, apart from signatures and from what only the registry says. */
export const logSection = (log: readonly LogReport[], words: ReportWords): Content =>
  log.length === 0
    ? undefined
    : element(
        'section',
        {},
        element('h2', {}, words.label.log),
        log.map((one) => [
          element('h3', {}, titleOf(one, words)),
          element('p', { class: one.state === 'wrong' || one.state === 'changed' ? 'says wrong' : '' }, one.says),
          entryFacts(one, words),
        ]),
      )

/** What an entry of a log is about: a signature, or the hashes of a document. */
export const titleOf = ({ documentId, signId }: LogReport, { label }: ReportWords): string =>
  signId === undefined ? `${label.hashes}: ${documentId}` : `${label.signature} ${signId}`

const entryFacts = ({ file, reason, entry }: LogReport, { label }: ReportWords): Content =>
  facts(
    fact(label.file, file && code(file)),
    fact(label.refusal, reason),
    ...(entry === undefined
      ? []
      : [
          fact(label.logEntry, lines([`${entry.index} / ${entry.size}`, code(entry.origin)])),
          fact(label.loggedAfter, entry.loggedAfter),
          fact(label.loggedBefore, entry.loggedBefore ?? entry.timeSays),
          fact(label.hashesNotLogged, entry.notLogged && lines(entry.notLogged.map((oid) => code(oid)))),
          fact(
            label.witnesses,
            entry.witnesses.length === 0
              ? label.none
              : lines(entry.witnesses.map(({ name, time }) => `${name}, ${time}`)),
          ),
          fact(label.trust, lines([entry.trustSays, ...entry.problems.map(({ says }) => says)])),
          fact(label.registered, entry.contradiction && element('strong', {}, entry.contradiction)),
        ]),
  )
