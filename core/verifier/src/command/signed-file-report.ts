import { type FilesVerdict, utc, worstOutcome } from '../index.js'
import { outcomeWords, problemWords } from './signed-file-words.js'
import type { JudgedFile } from './signed-files.js'

const inFile = (file: string, name: string): string => (name === '' ? file : `${file}/${name}`)

/** One verdict on files, and on the signed ones among them: signatures and documents of those by `file/name`. */
export function joinedVerdict(others: FilesVerdict, signed: readonly JudgedFile[]): FilesVerdict {
  if (signed.length === 0) return others
  const isAlone = others.signatures.length + others.documents.length === 0
  const signatures = [...others.signatures]
  const documents = [...others.documents]
  for (const { name, verdict } of signed) {
    const first = signatures.length
    for (const one of verdict.signatures)
      signatures.push({
        ...one,
        file: inFile(name, one.file),
        over: one.over === undefined ? undefined : inFile(name, one.over),
      })
    for (const one of verdict.documents)
      documents.push({
        ...one,
        name: inFile(name, one.name),
        signatures: one.signatures.map((place) => first + place),
      })
  }
  const outcomes = signed.map(({ verdict }) => verdict.outcome)
  return {
    at: others.at,
    outcome: worstOutcome(isAlone ? outcomes : [others.outcome, ...outcomes]),
    signatures,
    documents,
  }
}

/** What programs get of signed files beside the report: what they are, and all that is in them. */
export const signedFileReports = (signed: readonly JudgedFile[]) =>
  signed.map(({ name, verdict: { outcome, format, documents, revisions, problems, timeStamps, signatures } }) => ({
    name,
    format,
    outcome,
    says: outcomeWords[outcome],
    signatures: signatures.map(({ file, documents: own, indication, subIndication }) => ({
      ...{ file, documents: own, indication, subIndication },
    })),
    documents,
    timeStamps: timeStamps.map(({ name: file, documents: own, stamp, refusal }) => ({
      ...{ file, documents: own },
      ...(stamp && { time: utc(stamp.genTime) }),
      ...(refusal && { refusal: { code: refusal.code, reason: refusal.details?.reason } }),
    })),
    revisions,
    problems: problems.map((one) => ({ ...one, ...problemWords(one) })),
  }))
