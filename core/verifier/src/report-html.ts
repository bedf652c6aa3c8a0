import { code, digestLine, fact, facts, lines } from './report/html-facts.js'
import { signatureSection } from './report/html-signature.js'
import { REPORT_STYLE } from './report/html-style.js'
import { type Content, element, type Markup } from './report/markup.js'
import { reportWords } from './report/words.js'
import type { ReportWords } from './report/words-en.js'
import type { VerificationReport } from './report.js'

/** A report for people to read and print, in its language: one file that needs nothing and runs nothing. */
export function reportHtml(report: VerificationReport): string {
  const { language, outcome, says, at, rules, signatures } = report
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
      signatures.map((one, index) => signatureSection(one, index, words)),
      documentsSection(report, words),
      filesSection(report, words),
    ),
  )
  return `<!doctype html>\n${page.markup}\n`
}

const documentsSection = ({ documents, signatures }: VerificationReport, { label }: ReportWords): Content =>
  documents.length === 0
    ? undefined
    : element(
        'section',
        {},
        element('h2', {}, label.documents),
        facts(
          documents.map(({ name, signatures: own, signed }) =>
            fact(
              name,
              own.length === 0
                ? element('strong', {}, label.nobodySigned)
                : lines([
                    ...own.map((place) => `${label.signedBy} ${signatures[place]?.person?.name ?? ''} (${place + 1})`),
                    signed === 'part' ? element('strong', {}, label.partSigned) : undefined,
                  ]),
            ),
          ),
        ),
      )

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
