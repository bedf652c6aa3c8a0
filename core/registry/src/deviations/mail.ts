import type { Deviations } from './deviation.js'

export const mailDeviations = {
  notToTheSigner: {
    lines: [548, 549],
    words: 'addresses given at registration',
    ours: 'mail about a signature does not go to the addresses of its signer, the one in settings and the one in the certificate',
    because: { production: 'who signs knows it; there the own address is removed from types 2 and 3 as well' },
  },
  oneMailForTypesTwoAndThree: {
    lines: [557, 555],
    words: 'signature registration sends types 2 and 3',
    ours: 'an address that is due several mails about one signature gets one: what was asked for with the signature, else type 2, else type 3',
    because: {
      attack:
        'whoever names the addresses of earlier signers would double their mail; what comes twice is reported as unwanted, and then mail servers take nothing of the service',
    },
  },
  oneMailOfWholePackage: {
    lines: [548, 549],
    words: 'signature added to a document',
    ours: 'signatures under a whole package are told in one mail of each type, which names the package',
    because: { attack: 'one request over 50 documents would send 1,000 mails to 20 addresses' },
  },
  notToAllSigners: {
    lines: [549],
    words: 'signature added to a document the user signed',
    ours: 'of those who signed before 1,000 are told of a signature',
    because: { attack: 'one signature under a public petition would make the service write to all who signed it' },
    switch: '`mailedSigners: 0` among the limits of `createRegistry`',
  },
  originalsFromStorage: {
    lines: [548],
    words: 'as above',
    ours: 'with type 2 originals go along from the archive and temporary storage alone',
    because: {
      specification:
        '`POST /api/{id}/data` says that the content is not stored unless archiving or temporary storage applies',
    },
  },
  notWithoutVerdict: {
    lines: [547, 553],
    words: 'the original is left out if it fails an antivirus check or is large',
    ours: 'it is left out also where the scanner gives no verdict',
    because: {
      attack: 'whoever makes the scanner fail would send anything to anybody, and a mail cannot be taken back',
    },
  },
  noRoomForAttachments: {
    lines: [547],
    words: 'the original attached (unless `doNotAttachDocument`)',
    ours: 'an original that waits for its mails counts for the temporary storage of who brought it, and is left out where that has no room',
    because: { attack: 'anybody would fill the store with originals that wait for mails' },
    switch: '`SHARES` of `temporaryStorage`',
  },
  mailsInAnHour: {
    lines: [334, 557],
    words: 'the completion also sends the e-mail notifications requested at registration',
    ours: 'a request for more mails than its caller or signer may send in an hour is refused with 429; those of type 2 are left out where their signer has no more',
    because: { attack: 'mail with words and files of anybody to thousands of addresses, in the name of the service' },
    switch:
      '`MAIL_PER_HOUR`, `MAIL_NEW_PER_HOUR`, `MAIL_NEW_SIGNER_PER_HOUR`, `MAIL_STRANGER_PER_HOUR` and `MAIL_STRANGERS_PER_HOUR`, each `0`',
  },
  mailsToOneAddress: {
    lines: [557],
    words: 'sends type 1 or 6 to the requested recipients',
    ours: 'an address gets 20 mails in an hour because somebody named it; more are withheld',
    because: { attack: 'a mailbox would be flooded by many who sign in turn' },
    switch: '`MAIL_PER_RECIPIENT=0`',
  },
  notToWhoRefuses: {
    lines: [547, 548, 553],
    words: 'addresses in `emailNotifications.to` given at registration',
    ours: 'nothing goes to an address whose owner refused such mail by the link in it',
    because: { privacy: 'an address is its owner’s, and whoever names it is not' },
  },
  notToDeadAddresses: {
    lines: [547, 548, 553],
    words: 'addresses in `emailNotifications.to` given at registration',
    ours: 'nothing goes to an address of which its mail server said that it does not exist, until its owner says otherwise',
    because: {
      attack:
        'mail to addresses that do not exist costs a sender its standing: anybody could have mail servers take nothing of the service',
    },
  },
  strangersMail: {
    lines: [553, 548],
    words: 'link to the package page; originals attached unless `doNotAttachDocuments`',
    ours: 'addresses that nobody with a name gave (a package that is registered without authentication) get the link, without title, description and originals',
    because: {
      attack:
        'anybody would send words and files to anybody in the name of the service, and nobody would answer for it',
    },
  },
} as const satisfies Deviations
