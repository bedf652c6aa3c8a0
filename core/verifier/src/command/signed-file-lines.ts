import type { FileSigner } from '../files/index.js'
import { calledName, type FileProblem, type Outcome, outcomeOf, type Revision, utc } from '../index.js'
import { cut, cutMiddle, plain, wrap } from './columns.js'
import { detailLines } from './details.js'
import { changeWords, formatWords, outcomeWords, problemWords } from './signed-file-words.js'
import type { JudgedFile, LookedInto } from './signed-files.js'
import { labelled, signerLines } from './signer-lines.js'

const TEXT_COLUMNS = 70
const NAME_COLUMNS = 38
const FILE_LINES = 3
/** Rows of files, revisions, changes or problems; `--json` has all of them. */
const MAX_ROWS = 100

/** What people are told of a signed file: the verdict, what is wrong, each signature, and what of the file is signed. */
export function signedFileParts(file: JudgedFile, details: boolean): string[][] {
  const { name, size, verdict } = file
  const { outcome, format, signatures, problems } = verdict
  return [
    [
      ...labelled('verdict', outcomeWords[outcome]),
      ...labelled('file', line(`${cutMiddle(plain(name), NAME_COLUMNS)}, ${formatWords[format]}, ${size} bytes`)),
    ],
    ...rows(problems).map(problemLines),
    ...signatures.map((one) => [...signerLines(one, overText(one, file)), ...(details ? detailLines(one) : [])]),
    signatures.length === 0 ? ['No signature in this file can be judged.'] : [],
    timeStampLines(file),
    format === 'pdf' ? [] : documentLines(file),
    rows(verdict.revisions).flatMap((one, index) => revisionLines(one, index, file)),
  ]
}

/** What is said of files that nobody can tell about. */
export const brokenParts = ({ broken }: LookedInto): string[][] =>
  broken.map(({ name, reason }) => [
    ...labelled(
      'problem',
      ...wrap(`${cutMiddle(plain(name), NAME_COLUMNS)} is broken, or not in its form (${reason}).`, TEXT_COLUMNS),
    ),
    ...labelled('to do', 'Ask for the file again, unchanged: nothing in it was judged.'),
  ])

const line = (text: string): string => cut(plain(text), TEXT_COLUMNS)

const rows = <T>(all: readonly T[]): readonly T[] => all.slice(0, MAX_ROWS)

function problemLines(problem: FileProblem): string[] {
  const { says, next } = problemWords(problem)
  const about = [problem.name, problem.reason].filter((one) => one !== undefined && one !== '').join(', ')
  return [
    ...labelled('problem', ...wrap(says, TEXT_COLUMNS)),
    ...(about === '' ? [] : labelled('where', ...wrap(plain(about), TEXT_COLUMNS, FILE_LINES))),
    ...labelled('to do', ...wrap(next, TEXT_COLUMNS)),
  ]
}

/** What a signature of the file is over; nothing of its own to say where that is not what was signed. */
function overText(signer: FileSigner, { verdict }: JudgedFile): string | undefined {
  if (signer.covers === 'signature' || (signer.document !== 'matches' && signer.document !== 'carried'))
    return undefined
  const where = cutMiddle(plain(signer.file), NAME_COLUMNS)
  if (verdict.format !== 'pdf') return `${cutMiddle(plain(signer.documents.join(', ')), NAME_COLUMNS)}, by ${where}`
  const { revisions } = verdict
  const revision = revisions.findIndex(({ signatures }) => signatures.includes(signer.signatureInFile))
  const part = revisions.length > 1 ? `revision ${revision + 1} of ${revisions.length}` : 'all of the file'
  return `${part}, in field ${where}`
}

function timeStampLines({ verdict: { timeStamps } }: JudgedFile): string[] {
  return timeStamps.flatMap(({ name, documents, stamp, refusal }) => {
    const over = documents.filter((one) => one !== '').join(', ')
    const says =
      stamp === undefined
        ? `WRONG: the time stamp proves nothing (${String(refusal?.details?.reason ?? refusal?.code)})`
        : `${utc(stamp.genTime)}, by ${calledName(stamp.signer.subject)}`
    return labelled('stamped', line(says), line(`${over === '' ? '' : `${over}, `}${name}`))
  })
}

function documentLines({ verdict }: JudgedFile): string[] {
  return rows(verdict.documents).flatMap(({ name, signatures }) => {
    const own = signatures.flatMap((place) => verdict.signatures[place] ?? [])
    const by = own.length === 0 ? 'nobody signed it' : `signed by ${signersText(own)}`
    return labelled('file', ...wrap(`${cutMiddle(plain(name), NAME_COLUMNS)}: ${by}`, TEXT_COLUMNS, FILE_LINES))
  })
}

function revisionLines({ end, signatures, timeStamps, changes }: Revision, index: number, file: JudgedFile): string[] {
  const { revisions, signatures: all } = file.verdict
  const own = all.filter(({ signatureInFile }) => signatures.includes(signatureInFile))
  const next = revisions.findIndex((one, place) => place > index && one.signatures.length > 0)
  const by =
    own.length > 0
      ? `signed by ${signersText(own)}`
      : next !== -1
        ? `signed as a part of revision ${next + 1}`
        : timeStamps.length > 0
          ? 'nobody signed it; a time stamp is over it'
          : 'nobody signed it'
  return [
    ...labelled(
      'revision',
      ...wrap(`${index + 1} of ${revisions.length}, to byte ${end}: ${by}`, TEXT_COLUMNS, FILE_LINES),
    ),
    ...rows(changes).flatMap((one) =>
      labelled(one.harmless ? 'added' : 'CHANGED', ...wrap(plain(changeWords(one)), TEXT_COLUMNS, FILE_LINES)),
    ),
  ]
}

const NOT_PROVED: Readonly<Record<Outcome, string>> = { proved: '', unknown: ' (not proved)', wrong: ' (WRONG)' }

const signersText = (signers: readonly FileSigner[]): string =>
  plain(signers.map((one) => `${signerName(one)}${NOT_PROVED[outcomeOf(one)]}`).join(', '))

const signerName = ({ signature, file }: FileSigner): string =>
  signature === undefined ? `somebody in ${file}` : calledName(signature.signer.subject)
