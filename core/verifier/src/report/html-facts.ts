import type { CertificateReport } from './certificate-report.js'
import type { DigestReport } from './file-report.js'
import { type Content, element, type Markup } from './markup.js'
import type { ReportWords } from './words-en.js'

/** Facts of a report, one below the other. */
export const facts = (...rows: readonly Content[]): Markup => element('dl', {}, rows)

/** One fact; nothing where there is nothing to say. */
export const fact = (term: string, ...contents: readonly Content[]): Content =>
  contents.every((one) => one === undefined || one === '')
    ? undefined
    : [element('dt', {}, term), element('dd', {}, contents)]

/** Something of machines, such as a hash. */
export const code = (text: string): Markup => element('code', {}, text)

/** Several lines of one fact. */
export const lines = (all: readonly Content[]): Content =>
  all.flatMap((one) => (one === undefined ? [] : [element('div', {}, one)]))

/** A digest with the name and the OID of its algorithm. */
export const digestLine = ({ oid, algorithm, value }: DigestReport): Content => [
  `${algorithm ?? ''} (${oid}) `,
  code(value),
]

/** A certificate: whose, and which. */
export const certificateLine = ({ subject, serialNumber }: CertificateReport, { label }: ReportWords): Content => [
  subject,
  element('span', { class: 'small' }, `, ${label.serialNumber} `, code(serialNumber)),
]
