/** What is said of signed files: PDF, containers, CMS with its content, XML. The worker sends it along, so that it is plain data. */
export const fileTexts = {
  privacy: 'This is what the signatures inside the file prove. The file was not sent.',
  register: 'Register this file',
  registerHint:
    'The file is sent to the registry, which keeps its hashes and its signatures: each one is verified once more, with a time stamp and the status of its certificate.',
  registering: 'Sending the file and verifying its signatures…',
  registered: 'Registered, with all signatures:',
  package: 'The package with its documents',
  noSignature: 'No signature in this file could be verified.',
  over: 'What it is over',
  carried: 'the content of this file is signed, to the last byte',
  toRevision: 'the file is signed to the end of revision {0} of {1}, to the last byte',
  overFiles: 'signed to the last byte: {0}',
  files: 'Files in this container',
  signedBy: 'signed by {0}',
  nobody: 'nobody signed it',
  timeStamp: 'A time stamp over the file',
  timeStampGood: 'it existed on {0} ({1})',
  timeStampOnly: 'A time stamp dates a file. It does not tell who agreed to it.',
  revisions: 'What was signed, and what came after it',
  revision: 'Revision {0} of {1}',
  stamped: 'time stamp',
  openRevision: 'View as it was signed',
  revisionOf: '{0} (revision {1})',
  nothingAfter: 'Nothing was added after it.',
  nothingChanged: 'Added after it: nothing of what was signed.',
  after: 'Added after it:',
  changes: {
    signature: 'a signature',
    signatureField: 'a field for a signature',
    documentTimeStamp: 'a time stamp',
    evidence: 'evidence for signatures: certificates and their status',
    metadata: 'title, author or dates of the file',
    formField: 'the content of a form field',
    annotation: 'a comment or a mark',
    attachment: 'an attached file',
    page: 'what a page shows, or the number of pages',
    other: 'something else that readers may see',
  },
  states: { harmless: 'Harmless:', seen: 'Nobody signed this:', forbidden: 'Forbidden by who certified the document:' },
  named: '“{0}”',
  onPage: 'page {0}',
  notCompared: 'a revision that cannot be compared with what was signed',
  behindEnd: 'bytes behind the end of the PDF',
  more: 'and {0} more',
  originalOf: 'This is what is signed in “{0}”.',
  kept: 'The registry may keep evidence for these signatures that is not in the file: open the document to see what it proves.',
  about: 'About',
  problems: {
    signatureBroken: [
      'A signature in this file is not in its form, or leaves out more than itself: it proves nothing.',
      'Ask the signer for the file as the signing program saved it.',
    ],
    changedAfterSigning: [
      'Something that was signed first was changed before the next signature.',
      'Below, view what each of them signed, and compare.',
    ],
    addedAfterSigning: [
      'Nobody signed what was added after the last signature.',
      'Below, view it as it was signed: only that is signed.',
    ],
    changeForbidden: [
      'This PDF was changed in a way that who certified it forbade.',
      'Do not rely on it. Ask for the file without that change, or view it below as it was signed.',
    ],
    revisionNotCompared: [
      'A part that came after a signature cannot be compared with what was signed.',
      'Below, view it as it was signed, and rely on nothing else.',
    ],
    notCovered: [
      'A file in this container is signed by nobody.',
      'Rely on the signed files only, or ask for a signature on all of them.',
    ],
    fileMissing: ['A file that was signed is missing from this container.', 'Ask for the complete container.'],
    fileChanged: [
      'A file in this container is not the one that was signed.',
      'Ask for the container as it was signed.',
    ],
    formWrong: [
      'This container is not in its form: programs may see different files in it.',
      'Ask for the container as the signing program saved it.',
    ],
    unsupported: [
      'Something in this file cannot be verified here.',
      'Verify it with the program that it was signed with.',
    ],
  },
  unsupported: {
    encrypted: [
      'This PDF is encrypted: what was changed in it after signing cannot be read.',
      'Ask for the file without a password. Removing the password yourself would break its signatures.',
    ],
    xfa: [
      'This PDF contains a form in XML (XFA): what it shows is decided by a program inside it.',
      'Ask for an ordinary PDF, or read it in Adobe Acrobat, which verifies its signatures too.',
    ],
    jades: [
      'This is a JSON signature (JAdES), which is not verified here.',
      'Verify it with a program that supports them, such as the DSS of the European Commission.',
    ],
    evidenceRecord: [
      'It contains an evidence record, which is not verified here.',
      'Verify it with a program that supports them.',
    ],
    subFilter: [
      'A signature in this PDF is of an old kind (PKCS#1, or SHA-1), which is not verified here.',
      'Ask for a signature by PAdES or adbe.pkcs7.detached.',
    ],
    tooManySignatures: [
      'This PDF has more signatures than are verified at once.',
      'Those that are not shown were not verified: ask for the file with fewer of them.',
    ],
  },
  notRead: 'This signed file cannot be read.',
  notReadBecause: {
    broken: [
      'Its structure is damaged, or programs may see different things in it. It is refused rather than guessed at.',
      'Ask for the file as the signing program saved it: saving or repairing it with another program breaks signatures.',
    ],
    damaged: ['A part of it is damaged: it does not match its checksum.', 'Download it, or ask for it, once more.'],
    large: [
      'It is larger than is read here, or grows so much when unpacked that it may be meant to do harm.',
      'If you know where it comes from, verify it with the program that it was signed with.',
    ],
    names: [
      'Two files in it have one name, or a name leads out of the container: programs would unpack different files.',
      'Ask for the container as the signing program saved it.',
    ],
    protected: ['The files in this container are encrypted.', 'Ask for the container without a password.'],
    compression: [
      'Files in this container are compressed in a way that containers must not use.',
      'Ask for the container as the signing program saved it.',
    ],
  },
}
export type FileTexts = typeof fileTexts
