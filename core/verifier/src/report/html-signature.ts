import { outcomeOf } from '../verify-files.js'
import { certificateLine, code, digestLine, fact, facts, lines } from './html-facts.js'
import { type Content, element, type Markup } from './markup.js'
import type { SignatureReport } from './signature-report.js'
import type { ReportWords } from './words-en.js'

/** Everything that is said of one signature. */
export function signatureSection(report: SignatureReport, index: number, words: ReportWords): Markup {
  const { label } = words
  const { file, says, next, person, signer } = report
  return element(
    'section',
    {},
    element('h2', {}, `${label.signature} ${index + 1}${file === undefined ? '' : `: ${file}`}`),
    element('p', { class: `says ${outcomeOf(report)}` }, says),
    facts(
      fact(label.next, next),
      fact(label.signer, person?.name),
      fact(label.person, person?.userId),
      fact(label.organization, person?.businessId),
      fact(label.certificate, signer && certificateLine(signer, words)),
      fact(label.when, timeContent(report, words)),
      fact(label.document, documentText(report, words)),
      fact(label.coverage, coverageContent(report, words)),
      fact(label.signedDigest, lines(report.digests.map(digestLine))),
      fact(label.algorithm, report.signAlgorithm),
      fact(label.status, statusContent(report, words)),
      fact(label.missing, report.missing.map((one) => words.missing[one]).join('; ')),
      fact(
        label.unasked,
        orNone(
          report.unasked.map((one) => certificateLine(one, words)),
          words,
        ),
      ),
      fact(
        label.unused,
        orNone(
          report.unused.map((one) => unusedText(one, words)),
          words,
        ),
      ),
      fact(label.ignored, orNone(report.ignoredAttributes, words)),
      fact(label.refusal, refusalText(report)),
    ),
    pathTable(report, words),
    checksTable(report, words),
  )
}

/** A court is told that there is nothing, too. */
const orNone = (all: readonly Content[], { label }: ReportWords): Content =>
  lines(all.length === 0 ? [label.none] : all)

function timeContent({ timeStamp, existedAt }: SignatureReport, words: ReportWords): Content {
  const { label } = words
  const keptBy = existedAt === undefined || existedAt.by === 'timeStamp' ? [] : [words.unused[existedAt.by]]
  if (timeStamp === undefined)
    return existedAt === undefined
      ? label.noTimeStamp
      : lines([element('strong', {}, existedAt.time, ' UTC'), ...keptBy])
  const { genTime, policy, serialNumber, authority } = timeStamp
  return lines([
    element('strong', {}, genTime, ' UTC'),
    [`${label.authority}: `, certificateLine(authority, words)],
    element(
      'span',
      { class: 'small' },
      `${label.timeStamp}, ${label.serialNumber} `,
      code(serialNumber),
      `, ${label.policy} ${policy}`,
    ),
    ...keptBy,
  ])
}

const documentText = ({ over, document }: SignatureReport, words: ReportWords): string =>
  over === undefined ? words.document[document] : `${over} — ${words.document[document]}`

function coverageContent({ coverage, covers }: SignatureReport, { label }: ReportWords): Content {
  if (covers === 'signature') return label.counterSignature
  if (coverage === undefined) return undefined
  if (coverage.of === 'content') return label.wholeContent
  if (coverage.of === 'ranges') return `${label.ranges} ${coverage.ranges.map((range) => range.join('–')).join(', ')}`
  return [`${label.references}: `, coverage.uris.map((uri) => [code(uri === '' ? '""' : uri), ' '])]
}

function statusContent({ status }: SignatureReport, words: ReportWords): Content {
  const { label } = words
  if (status === undefined) return undefined
  if (status.source === 'crl')
    return lines(
      status.crls.map(({ issuer, thisUpdate, sha256 }) => [
        `${label.crlOf} ${issuer}, ${label.thisUpdate} ${thisUpdate}, SHA-256 `,
        code(sha256),
      ]),
    )
  const { responder, producedAt, thisUpdate } = status
  return lines([
    [`${label.responder}: `, certificateLine(responder, words)],
    `${label.producedAt} ${producedAt}, ${label.thisUpdate} ${thisUpdate}`,
  ])
}

const unusedText = ({ kind, reason, time }: SignatureReport['unused'][number], { unused }: ReportWords): string =>
  `${new Map(Object.entries(unused)).get(kind) ?? kind}: ${reason}${time === undefined ? '' : `, ${time}`}`

const refusalText = ({ refusal }: SignatureReport): string | undefined =>
  refusal && [refusal.code, refusal.details.reason].filter((one) => typeof one === 'string').join(': ')

function pathTable({ path, timeStamp, status }: SignatureReport, words: ReportWords): Content {
  const { label } = words
  const paths = [
    [label.path, path],
    [label.authority, timeStamp?.path ?? []],
    [label.responder, status?.source === 'ocsp' ? [status.responder] : []],
  ] as const
  return paths.map(([title, certificates]) =>
    certificates.length === 0
      ? undefined
      : [
          element('h3', {}, title),
          element(
            'table',
            {},
            certificates.map(({ subject, serialNumber, sha256 }) =>
              element(
                'tr',
                {},
                element('td', {}, subject),
                element(
                  'td',
                  {},
                  lines([
                    [`${label.serialNumber} `, code(serialNumber)],
                    ['SHA-256 ', code(sha256)],
                  ]),
                ),
              ),
            ),
          ),
        ],
  )
}

const checksTable = ({ checks }: SignatureReport, { label, check: names }: ReportWords): Content =>
  checks.length === 0
    ? undefined
    : [
        element('h3', {}, label.checks),
        element(
          'table',
          {},
          checks.map(({ check, outcome, reason, at }) =>
            element(
              'tr',
              {},
              element('td', {}, names[check] ?? check),
              element('td', {}, label[outcome], reason === undefined ? undefined : ` (${reason})`),
              element('td', {}, at),
            ),
          ),
        ),
      ]
