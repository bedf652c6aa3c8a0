import { notShownFacts, problemsSection, registrySection } from './report/evidence/html-evidence.js'
import { logSection } from './report/evidence/html-log.js'
import { recordsSection } from './report/evidence/html-record.js'
import { code, digestLine, fact, facts, lines } from './report/html-facts.js'
import { signatureSection } from './report/html-signature.js'
import { type Content, element, type Markup } from './report/markup.js'
import type { SignatureReport } from './report/signature-report.js'
import { reportWords } from './report/words.js'
import type { ReportWords } from './report/words-en.js'
import type { VerificationReport } from './report.js'

/** A report for people to read and print, in its language: one file that needs nothing and runs nothing. */
export function reportHtml(report: VerificationReport): string {
  const { language, outcome, says, at, rules, signatures, evidence, log } = report
  const words = reportWords[language]
  const { label } = words
  const page = element(
    'html',
    { lang: language },
    element(
      'head',
      {},
      { markup: '<meta charset="utf-8">' },
      { markup: `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` },
      { markup: '<meta name="viewport" content="width=device-width">' },
      element('title', {}, label.title),
      { markup: `<style>${REPORT_STYLE}</style>` },
    ),
    element(
      'body',
      {},
      element('h1', {}, label.title),
      element('p', { class: `outcome ${outcome}` }, says),
      facts(
        fact(label.judgedAt, element('strong', {}, at, ' UTC')),
        fact(label.verifier, `${rules.verifier} ${rules.version}`),
        fact(label.rules, rules.rules),
        fact(
          label.algorithms,
          lines(Object.entries(rules.algorithms).map(([name, value]) => code(`${name}: ${value}`))),
        ),
      ),
      element('p', { class: 'small' }, label.utc),
      evidence && problemsSection(evidence, words),
      signatures.map((one, index) => signatureSection(one, index, words)),
      documentsSection(report, words),
      recordsSection(evidence?.records ?? [], words),
      logSection(evidence?.log ?? log ?? [], words),
      evidence && registrySection(evidence, words),
      filesSection(report, words),
    ),
  )
  return `<!doctype html>\n${page.markup}\n`
}

const documentsSection = (report: VerificationReport, words: ReportWords): Content => {
  const { documents, evidence } = report
  const firstStranger = documents.length - (evidence?.strangers.length ?? 0)
  const rows = [
    ...documents.map((one, place) =>
      place < firstStranger
        ? fact(one.name, signedContent(one, report, words))
        : fact(one.name, element('strong', {}, words.evidence.stranger)),
    ),
    ...(evidence === undefined ? [] : notShownFacts(evidence)),
  ]
  return rows.length === 0 ? undefined : element('section', {}, element('h2', {}, words.label.documents), facts(rows))
}

const signedContent = (
  { signatures: own, signed }: VerificationReport['documents'][number],
  { signatures }: VerificationReport,
  { label }: ReportWords,
): Content =>
  own.length === 0
    ? element('strong', {}, label.nobodySigned)
    : lines([
        ...own.map((place) => signerText(signatures[place], place, label)),
        signed === 'part' ? element('strong', {}, label.partSigned) : undefined,
      ])

/** Who signed is said of signatures that are proved alone. */
const signerText = (one: SignatureReport | undefined, place: number, label: ReportWords['label']): string =>
  one?.indication === 'TOTAL-PASSED'
    ? `${label.signedBy} ${one.person?.name ?? ''} (${place + 1})`
    : `${label.signature} ${place + 1}: ${one?.says ?? ''}`

const filesSection = ({ files }: VerificationReport, { label }: ReportWords): Markup | undefined =>
  files.length === 0
    ? undefined
    : element(
        'section',
        {},
        element('h2', {}, label.inputs),
        facts(
          files.map(({ name, size, digests, isGiven }) =>
            fact(
              name,
              lines([
                size === undefined ? undefined : `${size} ${label.bytes}`,
                ...digests.map(digestLine),
                isGiven ? label.givenDigest : undefined,
              ]),
            ),
          ),
        ),
      )

/** Style of a report: on a screen and on paper alike, dark text on white. */
const REPORT_STYLE = `
:root { color-scheme: light; }
body { font: 15px/1.45 system-ui, "Noto Sans", sans-serif; color: #111; background: #fff; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
.outcome, .says { border-left: .4rem solid #777; background: #f3f3f3; padding: .6rem .8rem; margin: .8rem 0; font-weight: 600; }
.proved { border-color: #1a7f37; background: #eaf6ed; } .wrong { border-color: #b3261e; background: #fbeae9; } .unknown { border-color: #9a6700; background: #fdf4dd; }
dl { display: grid; grid-template-columns: 12rem 1fr; gap: .25rem 1rem; margin: .5rem 0; } dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; } th, td { text-align: left; vertical-align: top; padding: .25rem .5rem .25rem 0; border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }
code { font: .85em ui-monospace, monospace; overflow-wrap: anywhere; } .small { color: #555; font-size: .85rem; }
section { break-inside: avoid-page; } h2, h3 { break-after: avoid-page; }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } .outcome, .says { print-color-adjust: exact; } }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .4rem; } }
`
