import type { Change, FileFormat, FileProblem, Outcome } from '../index.js'

/** What is so, and what to do about it. */
interface Words {
  readonly says: string
  readonly next: string
}

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  proved: 'Proved: every signature is valid, and all of the file is signed.',
  unknown: 'Not proved: something is missing, or nobody signed it.',
  wrong: 'WRONG: a signature is not valid, or the file is not what was signed.',
}

export const formatWords: Readonly<Record<FileFormat, string>> = {
  cms: 'CMS',
  xml: 'XML',
  pdf: 'PDF',
  'asic-s': 'ASiC-S container',
  'asic-e': 'ASiC-E container',
}

const AGAIN = 'Ask for the file again, as it was when it was signed.'

const problems: Readonly<Record<FileProblem['code'], Words>> = {
  signatureBroken: {
    says: 'A signature is not in its form: it proves nothing.',
    next: 'Do not rely on it. Ask the signer to sign again.',
  },
  changedAfterSigning: {
    says: 'What was signed was changed, or covered, before somebody signed it again.',
    next: 'Compare the revisions. Ask the earlier signers to sign the file as it is now.',
  },
  addedAfterSigning: {
    says: 'Something was added after the last signature: nobody signed that.',
    next: 'Rely only on the last revision that was signed, or ask for a signature on the rest.',
  },
  changeForbidden: {
    says: 'A change was made that whoever certified the document forbids.',
    next: 'Do not rely on it. Ask for the document as it was certified.',
  },
  revisionNotCompared: {
    says: 'What was changed after a signature cannot be told.',
    next: AGAIN,
  },
  notCovered: {
    says: 'Nobody signed this file of the container.',
    next: 'Do not take it for signed. Ask for a signature on it.',
  },
  fileMissing: {
    says: 'A file that was signed is not there.',
    next: 'Ask for the container again, with all of its files.',
  },
  fileChanged: {
    says: 'A file is not the one that was signed.',
    next: AGAIN,
  },
  formWrong: {
    says: 'The container is not in its form: programs may find different files in it.',
    next: 'Do not rely on it. Ask for it again, written by a current program.',
  },
  unsupported: {
    says: 'A part of the file is not judged here.',
    next: 'Verify that part by the program that it was made with.',
  },
}

const parts: Readonly<Record<string, string>> = {
  encrypted: 'The file is encrypted: it is not judged here what was changed in it.',
  evidenceRecord: 'The container has evidence records, which are not judged here.',
  jades: 'The container has signatures in JSON (JAdES), which are not judged here.',
  subFilter: 'A signature is of a kind that is not judged here.',
  tooManySignatures: 'There are more signatures than are judged here.',
  xfa: 'The form of the document is in XML (XFA), and may show something else.',
}

/** A problem in words; what it is about and its finer reason stand beside it. */
export function problemWords({ code, reason }: FileProblem): Words {
  const { says, next } = problems[code]
  return { says: (code === 'unsupported' ? parts[reason ?? ''] : undefined) ?? says, next }
}

const kinds: Readonly<Record<Change['kind'], string>> = {
  signature: 'a signature',
  signatureField: 'a field for a signature',
  documentTimeStamp: 'a time stamp over the document',
  evidence: 'evidence for its signatures',
  metadata: 'title, author or dates',
  formField: 'the value of a form field',
  annotation: 'a note or mark on a page',
  attachment: 'an attached file',
  page: 'what a page shows, or how many there are',
  other: 'something that a reader may see, or that runs when it is opened',
}

/** A change of a PDF: what, where, and whether it may be. */
export function changeWords({ kind, name, page, forbidden }: Change): string {
  const place = [name, page !== undefined && `page ${page}`].filter((one) => typeof one === 'string' && one !== '')
  const where = place.length === 0 ? '' : ` (${place.join(', ')})`
  return `${kinds[kind]}${where}${forbidden ? ', which the certification forbids' : ''}`
}
