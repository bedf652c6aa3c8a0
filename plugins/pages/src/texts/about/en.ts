type Paragraph = readonly [title: string, about: string]

/** What the service says about itself: help, contact, privacy, and what other sites show of a link. */
export const aboutEn = {
  links: 'About this service',
  noPageText: 'Check the address. A document or a package opens by its identifier, too:',
  preview: {
    document: 'A signed document',
    package: 'A package of signed documents',
    text: 'Open it to see who signed it and when, and to check that a file is the one that was signed.',
  },
  help: {
    title: 'Help',
    lead: 'What is needed to sign, and how to get it.',
    look: 'No key is needed to look',
    looks: [
      ['Reading', 'A link from an e-mail or a QR code opens the document. Private documents ask you to log in first.'],
      ['Checking', 'Anybody can check a file: it is compared in the browser and does not leave the computer.'],
    ] as Paragraph[],
    key: 'No key yet',
    keyText:
      'To sign you need a key and a registration certificate of the National Certification Authority of the Republic of Kazakhstan. It issues them; this service does not, and never asks for your key or its password.',
    keys: [
      [
        'With a phone',
        'In the eGov Mobile application, from the section about digital signatures: it recognizes you by your face, and the key stays in the telephone.',
      ],
      [
        'At a computer',
        'On the site of the authority or on egov.kz, by video identification. Remember the password: nobody can restore it.',
      ],
      ['In person', 'At a public service centre, with your identity card. The key can be put on the card itself.'],
      [
        'For an organization',
        'The head gets a key of the organization first, with their own; then employees get theirs. Whoever signs with such a key acts for the organization.',
      ],
    ] as Paragraph[],
    ways: 'How to sign here',
    waysAll: [
      [
        'eGov Mobile',
        'Nothing has to be installed on the computer: the page shows a QR code, and the application asks you to sign. On the telephone itself a button opens the application.',
      ],
      [
        'NCALayer',
        'The program of the authority for computers, with keys in files, on identity cards and tokens. Install it, start it, and choose it on the page that signs. If the page cannot find it, start it again.',
      ],
      ['Any other program', 'A detached signature made elsewhere (.cms, .p7s, .sig, .xml) can be given as a file.'],
    ] as Paragraph[],
    authority: 'National Certification Authority',
    ncalayer: 'Get NCALayer',
    egov: 'eGov Mobile and public services',
    failing: 'If something does not work',
    failings: [
      [
        'The certificate has ended',
        'Certificates are valid for a limited time. Get a new one; what you signed before stays proved.',
      ],
      [
        'You do not see a document',
        'It is private, or was sent to an organization: log in with the certificate of that organization.',
      ],
      ['An action is not offered', 'The head of your organization gives the right to it on the organization page.'],
      [
        'A message has a number under it',
        'It names your request in the log of the service: give it to whoever runs the service.',
      ],
    ] as Paragraph[],
  },
  contact: {
    title: 'Contact',
    lead: 'Who runs this service, and how to reach them.',
    none: 'Whoever runs this service has not said yet how to reach them.',
    security: 'To report a vulnerability:',
  },
  privacy: {
    title: 'Privacy',
    lead: 'What the software of this service keeps, who sees it, and for how long.',
    ofOperator: 'What the operator says',
    ofSoftware: 'What the software does',
    kept: [
      [
        'Documents',
        'Hashes, title, description, size and settings are kept. The content itself is kept only where whoever registers the document, or an archive of theirs, asks for it: temporarily for 31 days at most, in an archive without end. Otherwise it passes through once, so that its hashes can be computed.',
      ],
      [
        'Signatures',
        'A signature is kept with its certificate, time stamp and certificate status, as it was received. The certificate names the signer: surname, name, IIN, the organization and its BIN, and sometimes an e-mail address. What is registered is kept without end and cannot be deleted here: it is the proof. Registrations that are not finished are deleted after 30 days, unless the operator has set another time.',
      ],
      [
        'Who sees a document',
        'A public document, with the names and numbers of its signers, is shown to everybody who has its link. A private one is shown only to its signers, its recipients, and the people and organizations that they named.',
      ],
      [
        'What is sent',
        'To whom and by whom something was sent, when the recipient first opened it, messages, comments and the answer. Sender and recipient see it.',
      ],
      [
        'Names',
        'The name in a certificate that logged in or signed here is kept with the IIN or BIN, so that people see names and not numbers. The name of a person is shown to whoever received something from them; to whoever sent them something, only after they have opened or answered it.',
      ],
      [
        'E-mail',
        'The addresses in settings, and those that somebody asked to be notified. The record of a sent e-mail is deleted after 14 days, of a failed one after 60. That an address wants no more e-mails is kept, so that it gets none.',
      ],
      [
        'Logins',
        'When and from which network address somebody logged in is kept for a year and shown to that person. Changes to settings are kept with who made them.',
      ],
      [
        'The log of the server',
        'Time, address of the page, answer and network address of each request are written down for the operator. Contents, names and secrets are not.',
      ],
      [
        'The transparency log',
        'Where the service keeps one, everybody can read it. It holds hashes from which nobody can compute names or contents.',
      ],
      [
        'In your browser',
        'Cookies keep the login, the language and the colours. A registration that was not finished is kept in this browser until it is finished or removed. Nothing is loaded from other sites, and nothing follows you.',
      ],
      [
        'What never comes here',
        'Private keys and their passwords. Files that are compared or checked are read by your browser and are not sent, except for signatures, cards and what the page names.',
      ],
    ] as Paragraph[],
  },
}

export type AboutTexts = typeof aboutEn
