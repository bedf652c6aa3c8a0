import type { StatementState } from '../../evidence/evidence-note.js'
import type { LogVerdict } from '../../evidence/judge-log.js'
import type { RecordVerdict } from '../../evidence/judge-record.js'
import type { ProblemCode } from '../../evidence/problem.js'
import type { BundledDocument } from '../../evidence/verify-evidence.js'
import type { LogProblem, LogTrust } from '../../log/verify-log-proof.js'
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
  readonly record: {
    readonly state: Readonly<Record<RecordVerdict['state'], string>>
    /** Of a file that a record is about. */
    readonly file: Readonly<Record<RecordVerdict['state'], string>>
    /** Of a record on which nothing ends. */
    readonly noEnd: string
  }
  readonly log: {
    readonly state: Readonly<Record<LogVerdict['state'], string>>
    readonly trust: Readonly<Record<LogTrust, string>>
    /** Why trust is not established, or what to think of though it is. */
    readonly problem: Readonly<Record<LogProblem, string>>
    /** Of a checkpoint without a time stamp, and of one whose time stamp is not accepted. */
    readonly noTime: string
    readonly timeNotProved: string
    /** Of a time of registration that does not fit the log. */
    readonly outside: string
  }
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
    logProofWrong: {
      says: 'WRONG: a proof of the transparency log in it is not of what it stands for.',
      next: 'Do not rely on the log for it; signatures are judged by themselves. Ask the registry what happened.',
    },
    logChanged: {
      says: 'Not proved: the registry says that what it has is not what is in its transparency log.',
      next: 'Keep this evidence bundle; signatures are judged by themselves. Ask the registry what happened.',
    },
    logContradiction: {
      says: 'Not proved: a time of registration in it contradicts the transparency log.',
      next: 'Do not rely on that time; signatures are judged by themselves. Ask the registry what happened.',
    },
    logNotEstablished: {
      says: 'Not proved: a signature in it has no proof of the transparency log that the given policy trusts.',
      next: 'Check that the policy names the log of this registry, and ask for the evidence bundle again. If there is still no proof, ask the registry why.',
    },
    recordWrong: {
      says: 'WRONG: an evidence record in it is broken, or about something else than the signature that it stands for.',
      next: 'Do not rely on that record; signatures are judged by themselves. Ask the registry for the evidence bundle again.',
    },
    recordNotProved: {
      says: 'Not proved: an evidence record in it proves nothing here.',
      next: 'If you trust the time-stamping authorities of the record, add their certificates to the trusted ones. If it was not renewed in time, nothing mends it.',
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
  record: {
    state: {
      proved: 'proved: the signature existed with all of its evidence at the time below',
      notProved: 'not proved: an authority of the record is not trusted here, or it was not renewed in time',
      wrong: 'WRONG: the record is broken, or about something else',
    },
    file: {
      proved: 'Proved: the evidence record shows that this file existed at the time below.',
      notProved: 'Not proved: the evidence record proves nothing here.',
      wrong: 'WRONG: the evidence record is broken, or about another file.',
    },
    noEnd: 'nothing on it ends by a date that is known',
  },
  log: {
    state: {
      logged: 'in the transparency log',
      wrong: 'WRONG: the proof is of something else, or does not lead to a checkpoint of the log',
      absent:
        'the registry says that it is not in the transparency log; that is as it should be only if it was registered while the registry kept no log',
      pending: 'the registry says that it is not in the transparency log yet',
      changed: 'the registry says that what it has is not what is in its transparency log',
      broken: 'the registry says that it cannot read its transparency log',
    },
    trust: {
      established: 'trusted by the given policy',
      notEstablished: 'trust not established',
      unknownLog: 'trust not established',
    },
    problem: {
      keyUnknown: 'no known key signed the checkpoint: anybody can have made it',
      policyMissing: 'no policy was given that says which logs and witnesses are trusted',
      logNotTrusted: 'the policy does not have this log with this key',
      quorumMissing: 'too few witnesses of the policy have cosigned the checkpoint',
      quorumImpossible:
        'so many witnesses of the policy have keys of unknown types that enough of them can never be verified here',
      keysPassedOver: 'keys of unknown types in the policy are passed over: what they sign counts for nothing here',
      noWitnesses: 'the policy asks for no witnesses, so the log could show others another tree',
      quorumsDisjoint:
        'two sets of witnesses without a common one satisfy the policy, so the log could show others another tree',
    },
    noTime: 'the checkpoint has no time stamp',
    timeNotProved: 'the time stamp on the checkpoint is not accepted',
    outside: 'CONTRADICTION: the time of registration differs from the log by more than five minutes',
  },
}
