import { capital, terms } from '../terms/index.js'
import type { Missing } from './missing-originals.js'
import type { NewsKind } from './news.js'
import { type OperatorWords, operatorWords } from './operator-words.js'

/** Labels of facts. */
const labels = {
  document: capital(terms.document.en),
  package: capital(terms.package.en),
  description: 'Description',
  identifier: 'Identifier',
  signer: 'Signed by',
  organization: capital(terms.organization.en),
  time: 'Time',
  documents: 'Documents',
  sender: capital(terms.sender.en),
  receiver: capital(terms.receiver.en),
  owner: 'Owner',
  quota: 'Quota',
  usage: 'In use',
  address: 'Address',
  subscription: capital(terms.subscription.en),
  expires: 'Valid until',
  employee: 'Employee',
  message: 'Message',
  reason: 'Reason',
  deadline: 'Answer by',
  signature: 'Signature',
  digest: 'Hash',
  digestUntil: 'Trusted until',
  since: 'Since',
  proofsEnded: 'Signatures whose proof has ended',
  proofsDue: 'Signatures to renew now',
  proofsUntil: 'Time until',
  proofsRestarted: 'Signatures whose records began anew',
  nextStep: 'What to do',
}
export type Label = keyof typeof labels

/** Texts of one kind of mail; `subject` is followed by the title of what it is about. */
interface Saying {
  readonly subject: (name: string) => string
  readonly heading: string
  readonly line: string
}

/** All texts of mails in one language. */
export interface Words {
  readonly sayings: Readonly<Record<NewsKind, Saying>>
  readonly operator: OperatorWords
  readonly labels: Readonly<Record<Label, string>>
  readonly openDocument: string
  readonly openDocuments: string
  readonly openPackage: string
  readonly openService: string
  readonly openItem: string
  readonly readAndDecide: string
  readonly readAndSign: string
  /** Of an item whose receiver signed nothing. */
  readonly acceptedUnsigned: string
  readonly untitled: string
  readonly missing: Readonly<Record<Missing, string>>
  /** Precedes the reasons for missing originals. */
  readonly notAttached: string
  /** Why the recipient gets this mail: somebody named the address, or their settings do. */
  readonly askedFor: string
  readonly askedByStranger: string
  readonly bySettings: string
  readonly unsubscribe: string
  readonly unlimited: string
}

export const en: Words = {
  sayings: {
    documentSigned: {
      subject: (name) => `Document signed: ${name}`,
      heading: 'A signed document was registered',
      line: 'A new document with an electronic digital signature (EDS) was registered.',
    },
    documentPreregistered: {
      subject: (name) => `A document for you: ${name}`,
      heading: 'A document for you',
      line: 'An organization registered a document and is letting you know about it.',
    },
    signatureAdded: {
      subject: (name) => `New signature: ${name}`,
      heading: 'A signature was added',
      line: 'A new electronic digital signature (EDS) was added to the document.',
    },
    ownDocumentSigned: {
      subject: (name) => `New signature on a document you signed: ${name}`,
      heading: 'A document you signed was signed again',
      line: 'A new electronic digital signature (EDS) was added to a document that you signed earlier.',
    },
    packageRegistered: {
      subject: (name) => `Package of documents: ${name}`,
      heading: 'A package of documents was registered',
      line: 'A new package of documents was registered.',
    },
    packageSigned: {
      subject: (name) => `Package signed: ${name}`,
      heading: 'A package of documents was signed',
      line: 'A new electronic digital signature (EDS) was added to each document of the package.',
    },
    ownPackageSigned: {
      subject: (name) => `New signature on a package you signed: ${name}`,
      heading: 'A package you signed was signed again',
      line: 'A new electronic digital signature (EDS) was added to each document of the package.',
    },
    itemReceived: {
      subject: (name) => `For your decision: ${name}`,
      heading: 'A document for your decision',
      line: 'Read it, then accept or refuse it. The sender sees when you open it.',
    },
    itemToSign: {
      subject: (name) => `Please sign: ${name}`,
      heading: 'Please sign',
      line: 'You are asked to read the document and to sign it electronically. The sender sees when you open it.',
    },
    itemReminded: {
      subject: (name) => `Reminder: ${name}`,
      heading: 'The sender is waiting for your answer',
      line: 'What was sent to you is neither accepted nor refused yet.',
    },
    itemRecalled: {
      subject: (name) => `Recalled: ${name}`,
      heading: 'The sender took it back',
      line: 'You need to do nothing: what was sent to you was recalled before you decided.',
    },
    signerTurn: {
      subject: (name) => `Your turn to sign: ${name}`,
      heading: 'It is your turn to sign',
      line: 'Those who sign before you have signed. Read the document and sign it.',
    },
    itemCommented: {
      subject: (name) => `Comment: ${name}`,
      heading: 'New comment',
      line: 'The counterparty commented on the document or package that was sent.',
    },
    itemAccepted: {
      subject: (name) => `Accepted: ${name}`,
      heading: 'Your outgoing item was accepted',
      line: 'The counterparty accepted the document or the package.',
    },
    itemDenied: {
      subject: (name) => `Refused: ${name}`,
      heading: 'Your outgoing item was refused',
      line: 'The counterparty refused the document or the package.',
    },
    itemFailed: {
      subject: (name) => `Not sent: ${name}`,
      heading: 'Your outgoing item was not sent',
      line: 'The registration of the document or the package was not completed in time, so the counterparty did not receive it. Send it again.',
    },
    archiveQuotaExceeded: {
      subject: () => 'Archive quota exceeded',
      heading: 'Archive quota exceeded',
      line: 'An original was not archived: there is no room left in the quota. New documents are registered but not archived until the quota is increased.',
    },
    archiveQuotaExpired: {
      subject: () => 'Additional archive quota expired',
      heading: 'Additional archive quota expired',
      line: 'The usual quota applies again. What is already archived stays; new documents are archived only while there is room in the quota.',
    },
    webhookPaused: {
      subject: () => 'Webhooks paused',
      heading: 'Webhooks paused',
      line: 'The address has not accepted webhooks for days, or has refused them. Fix the receiver and send a test webhook: when it arrives, sending resumes.',
    },
    subscriptionChanged: {
      subject: () => 'Subscription changed',
      heading: 'Subscription changed',
      line: 'The administrator of the service changed the subscription of your organization.',
    },
    subscriptionEnding: {
      subject: () => 'Subscription ends soon',
      heading: 'Subscription ends soon',
      line: 'When it ends, its features will no longer be available to the organization.',
    },
    subscriptionEnded: {
      subject: () => 'Subscription ended',
      heading: 'Subscription ended',
      line: 'Its features are no longer available to the organization. Registered documents remain available.',
    },
    digestsEnding: {
      subject: () => 'Bring originals again',
      heading: 'Originals have to be brought again',
      line: 'The registry knows some of your documents only by a hash that will no longer be trusted after the day below. Until then, open each of them in the list and give its file once more: the registry verifies it and adds a stronger hash. After that day nobody can prove any more which file was signed.',
    },
    evidenceEnds: {
      subject: () => 'Proof of signatures is not renewed',
      heading: 'Proof of signatures is not renewed',
      line: 'Time stamps prove the signatures of the registry, each for a time. For more than a day they could not be renewed: unless something is done, signatures can no longer be proved after the day named below.',
    },
    evidenceEnded: {
      subject: () => 'Proof of signatures has ended',
      heading: 'Proof of signatures has ended',
      line: 'The time stamps over some of the signatures no longer hold, so that these signatures cannot be proved by them.',
    },
    evidenceRestarted: {
      subject: () => 'Evidence records began anew',
      heading: 'Evidence records began anew',
      line: 'The key of a time-stamping authority was lost, or its certificate ended. What its time stamps had renewed proves nothing any more; the registry has begun new records over the same signatures.',
    },
    evidenceRenewed: {
      subject: () => 'Proof of signatures is renewed again',
      heading: 'Proof of signatures is renewed again',
      line: 'What kept the registry from renewing the proof of its signatures is over. Nothing has to be done.',
    },
  },
  operator: operatorWords.en,
  labels,
  openDocument: 'Open the document',
  openDocuments: 'Open the list',
  openPackage: 'Open the package',
  openService: 'Open the service',
  openItem: 'Open it',
  readAndDecide: 'Read and decide',
  readAndSign: 'Read and sign',
  acceptedUnsigned: 'accepted without a signature',
  untitled: 'untitled',
  missing: {
    notKept: 'the service does not keep the original',
    tooLarge: 'the original is too large for an e-mail',
    infected: 'the original did not pass the virus check',
    notScanned: 'the virus check is not available at the moment',
    notRead: 'the original could not be read',
  },
  notAttached: 'Not attached',
  askedFor: 'Your address was given by the person who registered or signed the document.',
  askedByStranger: 'Your address was given by somebody the service does not know: it cannot tell who registered this.',
  bySettings: 'Your address is in the settings of the service.',
  unsubscribe: 'Unsubscribe from e-mails of this kind',
  unlimited: 'no expiry date',
}
