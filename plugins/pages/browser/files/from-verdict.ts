import type { FileVerdict, JudgedTimeStamp } from '@signed-registry/verifier/files'
import { toBase64 } from '../bytes.js'
import type { EvidenceQuestion } from '../evidence/question.js'
import { SHA256 } from '../evidence/sha256.js'
import { refusalSays, shownSignature } from '../evidence/shown.js'
import type { ShownFile, SignatureOfFile, TimeStampOfFile } from './shown-file.js'
import { wholeRevisions } from './whole-revisions.js'
import { wordsIn } from './words.js'

/** A verdict as it is sent to the page. */
export function shownFile(
  verdict: FileVerdict,
  { language }: Pick<EvidenceQuestion, 'language'>,
): Omit<ShownFile, 'digests'> {
  const { format, outcome, signatures, timeStamps, documents, problems, read } = verdict
  return {
    ...{ format, outcome, problems },
    words: wordsIn[language],
    revisions: wholeRevisions(read),
    signatures: signatures.map((one) => {
      const { coverage, ...shown } = shownSignature(one, language)
      return {
        ...shown,
        // What a signature of a container names stands in `documents`.
        ...(coverage && (format === 'pdf' || format === 'xml') && { coverage }),
        documents: one.documents,
        ...revisionOf(verdict, 'signatures', one.signatureInFile),
      } satisfies SignatureOfFile
    }),
    timeStamps: timeStamps.map((one, index) => shownStamp(verdict, one, { index, language })),
    documents: documents.map(({ name, signatures: over }, index) => {
      const { size = 0, digests } = read.documents[index] ?? {}
      return { name, size, signatures: over, sha256: toBase64(digests?.get(SHA256) ?? new Uint8Array()) }
    }),
  }
}

function shownStamp(
  verdict: FileVerdict,
  { name, documents, stamp, refusal }: JudgedTimeStamp,
  { index, language }: { readonly index: number } & Pick<EvidenceQuestion, 'language'>,
): TimeStampOfFile {
  return {
    ...{ name, documents },
    ...revisionOf(verdict, 'timeStamps', index),
    ...(stamp && { time: stamp.genTime, by: commonName(stamp) }),
    ...(refusal && { refusal: refusalSays(refusal, language) }),
  }
}

const commonName = ({ signer: { subject } }: NonNullable<JudgedTimeStamp['stamp']>): string =>
  subject.rdns.flat().find(({ name, valueInB64 }) => name === 'CN' && !valueInB64)?.value ?? subject.toString()

function revisionOf(
  { revisions }: FileVerdict,
  of: 'signatures' | 'timeStamps',
  place: number,
): { readonly revision?: number } {
  const index = revisions.findIndex((one) => one[of].includes(place))
  return index === -1 ? {} : { revision: index + 1 }
}
