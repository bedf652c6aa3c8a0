import {
  calledName,
  type FilesVerdict,
  type Finding,
  findingOf,
  identityOf,
  type Missing,
  type ReportWords,
  reportWords,
  utc,
} from '../index.js'
import { COLUMNS, cut, cutMiddle, plain, width, wrap } from './columns.js'

type Judged = FilesVerdict['signatures'][number]

const MAX_LINES = 6
const LABEL_COLUMNS = 10
const TEXT_COLUMNS = COLUMNS - LABEL_COLUMNS
const FILE_COLUMNS = 26
const words: ReportWords = reportWords.en

/** What people are told of one signature, and of what it is over: at most six lines of 80 columns. */
export function signerLines(judged: Judged, document: string = documentText(judged)): string[] {
  const { says } = words.finding[findingOf(judged)]
  const facts = [
    ['verdict', says],
    ['signer', signerText(judged)],
    ['when', whenText(judged)],
    ['document', document],
    ['evidence', proofText(judged)],
  ].flatMap(([label = '', text]) => (text === undefined ? [] : labelled(label, cut(plain(text), TEXT_COLUMNS))))
  const notes = noteText(judged)
  return notes === '' ? facts : [...facts, ...noteLines(notes, MAX_LINES - facts.length, judged)]
}

/** A label, and lines of text beside it. */
export const labelled = (label: string, ...lines: readonly string[]): string[] =>
  lines.map((line, index) => `${(index === 0 ? label : '').padEnd(LABEL_COLUMNS)}${line}`)

const noteLines = (text: string, lines: number, { indication }: Judged): string[] =>
  labelled(indication === 'TOTAL-PASSED' ? 'note' : 'to do', ...wrap(plain(text), TEXT_COLUMNS, lines))

function signerText({ signature }: Judged): string | undefined {
  if (signature === undefined) return undefined
  const { userId, businessId } = identityOf(signature.signer)
  const marks = [userId, businessId]
    .filter((mark) => mark !== undefined)
    .map((mark) => `, ${mark.replace(/^(IIN|BIN)/, '$1 ')}`)
  const serial = marks.length > 0 ? '' : `, certificate ${signature.signer.serialNumber}`
  const rest = `${marks.join('')}${serial}`
  return `${cut(plain(calledName(signature.signer.subject)), TEXT_COLUMNS - width(rest))}${rest}`
}

function whenText({ proof, existedAt }: Judged): string | undefined {
  if (proof === undefined || existedAt === undefined) return undefined
  const { timeStamp } = proof
  return `${utc(existedAt.time)}, by ${timeStamp === undefined ? words.unused[existedAt.by] : calledName(timeStamp.signer.subject)}`
}

function documentText({ document, over, covers, file }: Judged): string {
  const signature = cutMiddle(plain(file), FILE_COLUMNS)
  if (covers === 'signature') return `none: signs another signature in ${signature}`
  if (document === 'carried') return `the one inside ${signature}`
  if (document === 'matches' && over !== undefined)
    return `${cutMiddle(plain(over), FILE_COLUMNS)} is what ${signature} signs`
  if (document === 'differs') return `not the one that ${signature} signs`
  return `${words.document[document]}; the signature is in ${signature}`
}

function proofText({ proof }: Judged): string | undefined {
  if (proof === undefined) return undefined
  const { status, crlProof, path } = proof
  const [anchor] = path.certificates.slice(-1)
  const source =
    status === undefined
      ? `CRL of ${crlProof?.crls[0] ? calledName(crlProof.crls[0].issuer) : 'the issuer'}`
      : `OCSP of ${calledName(status.responder.subject)}`
  return `${cut(source, TEXT_COLUMNS / 2)}; root ${anchor ? calledName(anchor.subject) : ''}`
}

const counted = (authorities: number): string => (authorities === 1 ? 'one authority' : `${authorities} authorities`)

/** What a finding says is missing needs not be said again. */
const SAYS: Readonly<Partial<Record<Finding, Missing>>> = {
  notGiven: 'document',
  status: 'status',
  validNow: 'timeStamp',
}

/** What is missing or was set aside, and what to do. */
function noteText(judged: Judged): string {
  const { unasked, unused, unsupported } = judged
  const finding = findingOf(judged)
  const { next } = words.finding[finding]
  // Where nothing will help, nothing is missing; that statuses of authorities are is said of them.
  const isSaid = (one: Missing) => SAYS[finding] === one || one === 'chainStatus' || one === 'timeStampStatus'
  const missing = judged.indication === 'TOTAL-FAILED' ? [] : judged.missing.filter((one) => !isSaid(one))
  const asides = [
    unasked.length > 0 && `The status of ${counted(unasked.length)} is not known (--details).`,
    missing.length > 0 && `Missing: ${missing.map((one) => words.missing[one]).join(', ')}.`,
    unused.length > 0 &&
      `Not taken into account: ${unused.map(({ kind, reason }) => `${words.unused[kind]} (${reason})`).join(', ')}.`,
  ]
  return [unsupported?.advice ?? next, ...asides].filter((one) => typeof one === 'string').join(' ')
}
