import type { NamedData } from '../etsi-signature.js'
import type { EvidenceReport } from './evidence-report.js'
import type { LogReport } from './log-report.js'
import type { RecordReport } from './record-report.js'

/** Data that stand beside every signature are bounded: a bundle has as many signatures as it likes. */
const MAX_NAMED = 20
const MAX_CHARACTERS = 500

/** What an XML report says of a bundle beside one of its signatures, by its place and file. */
export function bundleData(
  { problems, documents, strangers, signedBy, registrySays, log, records }: EvidenceReport,
  place: number,
  file: string | undefined,
): NamedData {
  const index = documents.findIndex(({ signatures }) => signatures.includes(place))
  const shown = index === -1 ? undefined : documents[index]
  const said = index === -1 ? undefined : registrySays?.documents[index]
  return [
    ['evidenceProblems', String(problems.length)],
    ...problems
      .slice(0, MAX_NAMED)
      .map(({ code, file }) => ['evidenceProblem', brief(file === undefined ? code : `${code}: ${file}`)] as const),
    ['evidenceOriginal', shown?.original],
    ...documents
      .filter(({ original, signatures }) => original !== 'notShown' && signatures.length === 0)
      .slice(0, MAX_NAMED)
      .map(({ name }) => ['nobodySigned', brief(name)] as const),
    ...strangers.slice(0, MAX_NAMED).map((name) => ['evidenceStranger', brief(name)] as const),
    ['registryWordSignedBy', signedBy],
    ['registrySaysOrigin', registrySays && brief(registrySays.registry.origin)],
    ['registrySaysKey', registrySays && brief(registrySays.registry.statementKey)],
    ['registrySaysDocument', said && brief(said.documentId)],
    ['registrySaysTitle', said && brief(said.title)],
    ['registrySaysRegistered', said?.storedAt],
    ...recordData(records, file),
    ...logData(log, file),
  ]
}

/** What an XML report says of the evidence record beside the signature in a file. */
function recordData(records: readonly RecordReport[], file: string | undefined): NamedData {
  const { state, reason, proof } = records.find(({ signature }) => signature === file) ?? {}
  return [
    ['evidenceRecord', state],
    ['evidenceRecordRefused', reason && brief(reason)],
    ['existedAt', proof?.existedAt],
    ['existenceProvedUntil', proof?.holdsUntilSays],
    ...(proof?.chains ?? [])
      .slice(0, MAX_NAMED)
      .map(({ oid, stamps }) => ['evidenceRecordChain', brief(`${oid}: ${stamps.join(' ')}`)] as const),
  ]
}

/** What an XML report says of the log beside the signature in a file. */
export function logData(log: readonly LogReport[], file: string | undefined): NamedData {
  const { state, reason, entry } = log.find(({ signature }) => signature !== undefined && signature === file) ?? {}
  return [
    ['log', state],
    ['logProofWrong', reason && brief(reason)],
    ['logOrigin', entry && brief(entry.origin)],
    ['logEntry', entry && `${entry.index} / ${entry.size}`],
    ['loggedBefore', entry?.loggedBefore],
    ['loggedAfter', entry?.loggedAfter],
    ['logTrust', entry && [entry.trust, ...entry.problems.map(({ code }) => code)].join(' ')],
    ['logContradiction', entry?.contradiction && 'registrationTime'],
    ...(entry?.witnesses ?? [])
      .slice(0, MAX_NAMED)
      .map(({ name, time }) => ['logWitness', brief(`${name} ${time}`)] as const),
  ]
}

const brief = (text: string): string => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text)
