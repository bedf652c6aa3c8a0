import {
  type BundledDocument,
  type EvidenceReport,
  type EvidenceVerdict,
  evidenceReport,
  type LogReport,
  type ProblemReport,
  type RegistrySays,
  reportWords,
} from '../index.js'
import { COLUMNS, cut, cutMiddle, plain, wrap } from './columns.js'
import { detailLines } from './details.js'
import { recordLines } from './record-lines.js'
import { labelled, signerLines } from './signer-lines.js'

const TEXT_COLUMNS = 70
const NAME_COLUMNS = 38
const FILE_LINES = 3
const words = reportWords.en

/** What people are told of an evidence bundle: the verdict, what is wrong, who signed what when, and what the registry says. */
export function bundleText(verdict: EvidenceVerdict, details: boolean): string {
  const report = evidenceReport(verdict, words)
  const parts = [
    wrap(words.evidence.outcome[verdict.outcome], COLUMNS),
    ...problemParts(report.problems),
    ...report.documents.flatMap((one, index) => documentParts(one, index, verdict, details)),
    report.strangers.flatMap((name) =>
      wrap(`${cutMiddle(plain(name), NAME_COLUMNS)} is ${words.evidence.stranger}.`, COLUMNS),
    ),
    recordLines(report),
    logLines(report),
    registryLines(report),
  ]
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`
}

/** Each kind of problem once, with the files that have it. */
function problemParts(problems: readonly ProblemReport[]): string[][] {
  const codes = new Set(problems.map(({ code }) => code))
  return [...codes].map((code) => {
    const own = problems.filter((one) => one.code === code)
    const files = plain(own.flatMap(({ file }) => file ?? []).join(', '))
    return [
      ...labelled('problem', ...wrap(own[0]?.says ?? code, TEXT_COLUMNS)),
      ...(files === '' ? [] : labelled('file', ...wrap(files, TEXT_COLUMNS, FILE_LINES))),
      ...labelled('to do', ...wrap(own[0]?.next ?? '', TEXT_COLUMNS)),
    ]
  })
}

function documentParts(
  { name, original, originalSays, signatures }: BundledDocument & { readonly originalSays: string },
  index: number,
  verdict: EvidenceVerdict,
  details: boolean,
): string[][] {
  const all = verdict.evidence.documents.length
  const heading = [
    ...(all === 1 ? [] : [cut(`Document ${index + 1} of ${all}: ${plain(name)}`, COLUMNS)]),
    ...(original === 'notShown' ? labelled('original', ...wrap(originalSays, TEXT_COLUMNS)) : []),
    ...(signatures.length === 0 ? ['No signature in the evidence bundle is on this document.'] : []),
  ]
  const own = signatures.flatMap((place) => verdict.signatures[place] ?? [])
  return [heading, ...own.map((one) => [...signerLines(one), ...(details ? detailLines(one) : [])])]
}

/** What the transparency log proves of signatures and of the hashes of documents. */
function logLines({ log }: EvidenceReport): string[] {
  if (log.length === 0) return []
  return ['What the transparency log proves:', ...log.flatMap(entryLines)]
}

function entryLines({ signId, documentId, says, file, reason, entry }: LogReport): string[] {
  const line = (text: string, count = FILE_LINES) => wrap(plain(text), TEXT_COLUMNS, count)
  const about = signId === undefined ? `hashes of ${documentId}` : `signature ${signId}`
  if (entry === undefined)
    return labelled('log', ...line(`${about}: ${says}`), ...(reason === undefined ? [] : line(`${file}: ${reason}`)))
  const { origin, index, loggedAfter, loggedBefore, timeSays, notLogged } = entry
  const { witnesses, trustSays, problems, contradiction } = entry
  const seen = witnesses.map(({ name }) => name).join(', ')
  return labelled(
    'log',
    ...line(`${about}: entry ${index} of ${origin}`),
    ...line(
      [
        ...(loggedAfter === undefined ? [] : [`logged after ${loggedAfter}`]),
        loggedBefore === undefined ? (timeSays ?? '') : `logged before ${loggedBefore}`,
        ...(seen === '' ? [] : [`witnessed by ${seen}`]),
      ].join('; '),
    ),
    ...line([trustSays, ...problems.map(({ says: why }) => why)].join(': ')),
    ...(contradiction === undefined ? [] : line(contradiction)),
    ...(notLogged === undefined ? [] : line(`not in the log: hashes by ${notLogged.join(', ')}`)),
  )
}

/** What only `evidence.json` says, and whose word it is. */
function registryLines({ registrySays: said, signedBySays }: EvidenceReport): string[] {
  if (said === undefined) return []
  const { registry, asOf, package: of } = said
  const row = (label: string, text: string) => labelled(label, ...wrap(plain(text), TEXT_COLUMNS, FILE_LINES))
  return [
    'What the registry says (the signatures do not prove it):',
    ...row('it is', signedBySays),
    ...row('registry', `${registry.name}, ${registry.origin}`),
    ...row('key', registry.statementKey),
    ...row('as of', asOf),
    ...(of === undefined ? [] : row('package', `${of.packageId}, registered ${of.storedAt}: ${of.title}`)),
    ...said.documents.flatMap(saidLines),
  ]
}

function saidLines({ documentId, title, storedAt, signatures }: RegistrySays['documents'][number]): string[] {
  const line = (text: string) => cut(plain(text), TEXT_COLUMNS)
  return labelled(
    'document',
    line(`${documentId}, registered ${storedAt}`),
    ...(title === '' ? [] : [line(title)]),
    ...signatures.map(({ signId, file, storedAt: at }) => line(`signature ${signId}, registered ${at}, ${file}`)),
  )
}
