import type { RegistryError } from '../error.js'
import type { Outcome } from '../verify-files.js'

/** What may be wrong with a bundle, and what it makes of the verdict. */
const OUTCOMES = {
  /** It is a file of another kind. */
  notEvidence: 'unknown',
  /** Its media type is of a version that is not known here. */
  versionNotKnown: 'unknown',
  /** It has more files, or larger ones, than are read. */
  tooLarge: 'unknown',
  /** It is not, octet by octet, in the one form of a container. */
  formChanged: 'wrong',
  /** A name occurs twice, also by case or normal form. */
  doubledName: 'wrong',
  /** A name leads out of the folder that it is unpacked to, or cannot be a file's. */
  unsafeName: 'wrong',
  /** `evidence.json` is not what a registry writes. */
  statementMalformed: 'wrong',
  /** `evidence.json` has no signature of a registry. */
  noteMissing: 'unknown',
  /** The signature of the registry is not over this `evidence.json`. */
  noteWrong: 'wrong',
  /** Another registry signed it than the one that was asked for. */
  otherKey: 'unknown',
  /** A file is not the one that `evidence.json` names by its hash. */
  fileChanged: 'wrong',
  /** Files are missing, added, or in another order than `evidence.json` says. */
  otherFiles: 'wrong',
  /** The original has other hashes than the registry fixed. */
  originalDiffers: 'wrong',
  /** The signatures in `document.asics` are others than those that stand alone. */
  signaturesDiffer: 'wrong',
  /** A signature is not on the document that `evidence.json` has it for. */
  otherDocument: 'wrong',
  /** A proof of the transparency log is of something else than what it stands for, or leads to no checkpoint of the log. */
  logProofWrong: 'wrong',
  /** The registry says that what it has is not what it logged. */
  logChanged: 'unknown',
  /** A time of registration is not between the times that the log proves. */
  logContradiction: 'unknown',
  /** The reader gave a policy for logs, and a signature has no proof that it trusts. */
  logNotEstablished: 'unknown',
  /** An evidence record, or what it is about, is of something else than the signature that it stands for, or is broken. */
  recordWrong: 'wrong',
  /** An evidence record proves nothing by the reader's trust, or was not renewed in time. */
  recordNotProved: 'unknown',
} as const satisfies Readonly<Record<string, Outcome>>

export type ProblemCode = keyof typeof OUTCOMES

/** Something that is wrong with a bundle. */
export interface EvidenceProblem {
  readonly code: ProblemCode
  /** The file in the bundle that it is about. */
  readonly file?: string | undefined
}

/** What a problem makes of the verdict on a bundle. */
export const outcomeOfProblem = ({ code }: EvidenceProblem): Outcome => OUTCOMES[code]

const isCode = (reason: unknown): reason is ProblemCode => typeof reason === 'string' && Object.hasOwn(OUTCOMES, reason)

/** The problem that reading stopped at. */
export function problemOf({ details = {} }: RegistryError): EvidenceProblem {
  const { reason, file } = details
  return {
    code: isCode(reason) ? reason : 'notEvidence',
    ...(typeof file === 'string' && { file }),
  }
}

/** Each problem once. */
export const distinctProblems = (problems: readonly EvidenceProblem[]): EvidenceProblem[] => [
  ...new Map(problems.map((one) => [`${one.code} ${one.file}`, one])).values(),
]
