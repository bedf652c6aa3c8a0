import type { Deviations } from './deviation.js'

export const procedureDeviations = {
  noDataThatLogIn: {
    lines: [271, 288, 482],
    words:
      'are passed through unchanged between caller and the mobile app; the service does not analyze, add or change them',
    ours: 'raw data pass byte for byte, but are looked through on their way: those that hold a nonce of this service or a hash of one, are the `SignedInfo` of an XML signature, or have XML entities that could hide them, are refused (422, `Data to be signed would log in`) and never reach the app',
    because: {
      attack:
        'whoever has a victim sign a nonce as "raw data" logs in as the victim: anybody may begin a raw procedure',
    },
  },
  strangersAreShown: {
    lines: [480],
    words: '`description` (string shown in the app)',
    ours: 'the description of a raw procedure begins with "Unverified sender" in three languages where its caller acts for no organization',
    because: {
      attack:
        'a stranger asks for a signature in words of his own, and the app, at a relay above all, shows them in the name of the service',
    },
  },
  packagesAreCanceled: {
    lines: [316, 326],
    words: '`new`, `meta`, `data`, `done`, `fail`; the document procedure also has `canceled`',
    ours: 'the procedure of a package has `canceled` too: by DELETE, or when the user of the app refuses',
    because: {
      specification:
        'DELETE cancels the procedure of a package as well (line 459), which is no failure and has no error for `errors`',
    },
  },
  relayTellsMetaLate: {
    lines: [321],
    words: '| new | user scans the QR code or follows the deep link | | meta | |',
    ours: 'through a relay (`GOV_QR_RELAY_URL`) `meta` is told together with `data`, when the app has the documents',
    because: {
      specification:
        'the raw interface, which the relay is asked by, tells its caller of no scan: it answers when the app downloads (line 482)',
    },
  },
  relayReadsAtOnce: {
    lines: [482],
    words: 'reads the body only when the mobile app connects and starts downloading',
    ours: 'through a relay (`GOV_QR_RELAY_URL`) raw data are read and kept at once; their caller is answered when the app has them',
    because: {
      specification:
        'the same line lets a caller resend what got no answer: towards the relay the registry is that caller, also after a crash, and has to have the body',
    },
  },
} as const satisfies Deviations
