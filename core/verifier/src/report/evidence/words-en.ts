import type { StatementState } from '../../evidence/evidence-note.js'
import type { ProblemCode } from '../../evidence/problem.js'
import type { BundledDocument } from '../../evidence/verify-evidence.js'
import type { Outcome } from '../../verify-files.js'

/** Words about evidence bundles in one language. */
export interface EvidenceWords {
  /** What a bundle comes to. */
  readonly outcome: Readonly<Record<Outcome, string>>
  readonly problem: Readonly<Record<ProblemCode, { readonly says: string; readonly next: string }>>
  /** Whose word it is, what the registry says. */
  readonly signedBy: Readonly<Record<StatementState, string>>
  readonly original: Readonly<Record<BundledDocument['original'], string>>
  /** Of a document that was given beside it. */
  readonly stranger: string
}

/** English. */
export const evidence: EvidenceWords = {
  outcome: {
    proved: 'Proved: every signature in the evidence bundle is valid, and every document is the signed one.',
    unknown: 'Not proved: something is missing, or nothing shows that it is right.',
    wrong: 'Wrong: the evidence bundle was changed, or a signature in it is not valid.',
  },
  problem: {
    notEvidence: {
      says: 'Not proved: this is not an evidence bundle of a registry.',
      next: 'Unpack any other container (ASiC) and give the signature in META-INF together with the files that it signs.',
    },
    versionNotKnown: {
      says: 'Not proved: evidence bundles of this version are not known here.',
      next: 'Verify it with a newer program.',
    },
    tooLarge: {
      says: 'Not proved: its files are more or larger than are read here.',
      next: 'Ask the registry for the evidence bundle of each document by itself.',
    },
    formChanged: {
      says: 'WRONG: the evidence bundle is not in the form that registries write.',
      next: 'It was damaged, changed or packed anew. Ask for it again, unchanged.',
    },
    doubledName: {
      says: 'WRONG: two files in it have the same name.',
      next: 'Programs may show different ones. Do not rely on it; ask for it again.',
    },
    unsafeName: {
      says: 'WRONG: a file in it has a dangerous name.',
      next: 'Do not unpack it. Ask the registry for the evidence bundle again.',
    },
    statementMalformed: {
      says: 'WRONG: evidence.json is not as registries write it.',
      next: 'Do not rely on it. Ask the registry for the evidence bundle again.',
    },
    noteMissing: {
      says: 'Not proved: evidence.json is not signed by a registry.',
      next: 'Ask the registry for the evidence bundle with evidence.json.sig in it.',
    },
    noteWrong: {
      says: 'WRONG: the signature of the registry does not match evidence.json.',
      next: 'One of the two was changed. Ask the registry for the evidence bundle again.',
    },
    otherKey: {
      says: 'Not proved: it is not signed with the key that was given.',
      next: 'Find out which registry made it: the key that was given says nothing about it.',
    },
    fileChanged: {
      says: 'WRONG: a file in it is not the one that evidence.json names.',
      next: 'It was changed. Ask the registry for the evidence bundle again.',
    },
    otherFiles: {
      says: 'WRONG: the files in it are not those that evidence.json lists.',
      next: 'Some were added, moved or taken out. Ask the registry for the evidence bundle again.',
    },
    originalDiffers: {
      says: 'WRONG: the original in it is not the one that evidence.json describes.',
      next: 'Ask for the document as it was when it was registered.',
    },
    signaturesDiffer: {
      says: 'WRONG: the signatures beside the original are not those in the folder cms.',
      next: 'Do not rely on those beside the original. Ask the registry for the evidence bundle again.',
    },
    otherDocument: {
      says: 'WRONG: a signature in it is on another document.',
      next: 'Do not take it for a signature on this document.',
    },
  },
  signedBy: {
    trusted: 'the word of the registry whose key was given: it signed this',
    notTrusted: 'the word of whoever made the bundle: no key of a registry was given to compare',
    otherKey: 'not the word of the registry whose key was given: another key signed it',
    wrong: 'nobody’s word: the signature of the registry is not on it',
    missing: 'nobody’s word: no registry signed it',
  },
  original: {
    inside: 'in the evidence bundle',
    beside: 'given beside the evidence bundle',
    notShown: 'not in the evidence bundle: give it beside it, nothing is proved about it until then',
  },
  stranger: 'none of the documents of the evidence bundle: another one, or changed',
}
