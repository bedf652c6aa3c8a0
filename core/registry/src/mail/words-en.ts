import type { Words } from './words.js'

export const en: Words = {
  sayings: {
    documentSigned: {
      subject: (name) => `Document signed: ${name}`,
      heading: 'A signed document was registered',
      line: 'A new document with an electronic signature was registered.',
    },
    documentPreregistered: {
      subject: (name) => `A document for you: ${name}`,
      heading: 'A document for you',
      line: 'An organization registered a document and lets you know of it.',
    },
    signatureAdded: {
      subject: (name) => `New signature: ${name}`,
      heading: 'A signature was added',
      line: 'A new electronic signature was registered under the document.',
    },
    ownDocumentSigned: {
      subject: (name) => `New signature under a document that you signed: ${name}`,
      heading: 'A document that you signed was signed again',
      line: 'A new electronic signature was registered under a document that you signed before.',
    },
    packageRegistered: {
      subject: (name) => `Package of documents: ${name}`,
      heading: 'A package of documents was registered',
      line: 'A new package of documents was registered.',
    },
    packageSigned: {
      subject: (name) => `Package signed: ${name}`,
      heading: 'A package of documents was signed',
      line: 'A new electronic signature was registered under each document of the package.',
    },
    ownPackageSigned: {
      subject: (name) => `New signature under a package that you signed: ${name}`,
      heading: 'A package that you signed was signed again',
      line: 'A new electronic signature was registered under each document of the package.',
    },
    itemReceived: {
      subject: (name) => `Incoming: ${name}`,
      heading: 'You have an incoming item',
      line: 'A counterparty sent you a document or a package of documents for review.',
    },
    itemCommented: {
      subject: (name) => `Comment: ${name}`,
      heading: 'New comment',
      line: 'The counterparty commented on a document or a package that was sent.',
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
      line: 'The registration of the document or the package was not completed in time, and the counterparty did not get it. Send it again.',
    },
    archiveQuotaExceeded: {
      subject: () => 'Archive quota exceeded',
      heading: 'Archive quota exceeded',
      line: 'An original was not archived: the quota has no room for it. New documents are registered, but not archived, until the quota is raised.',
    },
    archiveQuotaExpired: {
      subject: () => 'Additional archive quota expired',
      heading: 'Additional archive quota expired',
      line: 'The usual quota is in force again. What is in the archive stays there; new documents are archived only where the quota has room.',
    },
    webhookPaused: {
      subject: () => 'Webhooks paused',
      heading: 'Webhooks paused',
      line: 'The address has not taken webhooks for days, or refused them. Repair the receiver and send a ping: when it arrives, webhooks go on.',
    },
    subscriptionChanged: {
      subject: () => 'Subscription changed',
      heading: 'Subscription changed',
      line: 'The administrator of the service changed the subscription of your organization.',
    },
    subscriptionEnding: {
      subject: () => 'Subscription ends soon',
      heading: 'Subscription ends soon',
      line: 'When it ends, its features are no longer available to the organization.',
    },
    subscriptionEnded: {
      subject: () => 'Subscription ended',
      heading: 'Subscription ended',
      line: 'Its features are no longer available to the organization. Registered documents stay available.',
    },
  },
  labels: {
    document: 'Document',
    package: 'Package',
    description: 'Description',
    identifier: 'Identifier',
    signer: 'Signed by',
    organization: 'Organization',
    time: 'Time',
    documents: 'Documents',
    sender: 'Sender',
    receiver: 'Receiver',
    owner: 'Owner',
    quota: 'Quota',
    usage: 'In use',
    address: 'Address',
    subscription: 'Subscription',
    expires: 'Valid until',
  },
  openDocument: 'Open the document',
  openPackage: 'Open the package',
  openService: 'Open the service',
  untitled: 'untitled',
  missing: {
    notKept: 'the service does not keep the original',
    tooLarge: 'the original is too large for a mail',
    infected: 'the original did not pass the virus check',
    notScanned: 'the virus check is not possible at the moment',
    notRead: 'the original could not be read',
  },
  notAttached: 'Not attached',
  askedFor: 'Your address was given by who registered or signed the document.',
  askedByStranger:
    'Your address was given by somebody whom the service does not know: it cannot say who registered this.',
  bySettings: 'Your address stands in the settings of the service.',
  unsubscribe: 'No more mail of this kind',
  mebibytes: 'MiB',
  unlimited: 'without expiry',
}
