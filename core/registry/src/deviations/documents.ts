import type { Deviations } from './deviation.js'

export const documentDeviations = {
  forwardingNeedsAuthority: {
    lines: [18, 368],
    words: 'Forwards documents to vehicle-registration authority systems (field `integrationRegisterAuto`).',
    ours: 'a registry to which no authority is connected refuses the field with `Request field is not supported`',
    because: {
      specification:
        'the systems, their address and the codes that they take are not shown (line 259); a contract that was accepted without them would reach nobody, in silence',
    },
    switch: '`VEHICLE_REGISTRATION_URL`, or the plugin `vehicle-registration`',
  },
  onlyRegistratorVouches: {
    lines: [381],
    words: '**POST /api/{id}/data** fixes hashes.',
    ours: 'while nobody has signed, of who registered the document alone; after a first signature of anybody who has the original',
    because: {
      attack: 'whoever sees the identifier of a preregistered document could choose what others sign under its title',
    },
  },
  profilesForSignerAlone: {
    lines: [389, 390],
    words:
      "present when the signer's user settings were created at the first signature; same content as GET /api/settings",
    ours: 'present when, besides, it is the signer who sends the original',
    because: { privacy: 'settings have the e-mail address of the signer, and anybody may send the original' },
  },
  forcedArchiveHasQuota: {
    lines: [59, 395],
    words: 'force archiving; may be given only at first registration or preregistration',
    ours: 'where the quota of who is charged is exceeded the document is registered and not archived: `dataArchived` is false until `POST /api/{id}/verify` finds room',
    because: { specification: 'archiving is subject to a quota (lines 16 and 395)' },
  },
  strangersStoreShortly: {
    lines: [60, 395],
    words: 'temporary storage after registration',
    ours: 'what somebody brings who is not authenticated stays for a day at most, whatever the settings ask for',
    because: {
      attack: 'anybody could leave gigabytes for a month, which nobody answers for, and have strangers download them',
    },
    switch: '`TEMP_STORAGE_ANONYMOUS`, `limits.strangersTempStorageMs`',
  },
  temporaryStorageHasShares: {
    lines: [60, 395],
    words: 'temporary storage after registration',
    ours: 'what is more than the share of who brings it is refused with 429, or 503 where all together have theirs, and nothing changes',
    because: { attack: 'nobody pays for temporary storage: one caller could fill the store of all' },
    switch: '`SHARES`, `shares.temporaryStorage`',
  },
  longestTemporaryStorage: {
    lines: [60, 395],
    words: 'temporary storage after registration',
    ours: 'more than 31 days is refused: `Invalid format of provided document settings`',
    because: { attack: 'nobody pays for temporary storage: it would be an archive without a quota' },
    switch: '`limits.tempStorageMs`',
  },
  boundedSearch: {
    lines: [409],
    words: 'Response: `documentsTotal` (integer), `documents` (document list items)',
    ours: 'with `searchQuery` a bounded number of documents is looked through for a page: `documentsTotal` is what was counted, at most 1,000, and a page may be empty before the end; `searchCursor` (ours) then goes on',
    because: {
      attack:
        'words that very many documents have, or none has together, would have the database read all of them, at every request',
    },
    switch: '`SEARCH_LIMIT=0`, `limits.searchedDocuments`',
  },
} as const satisfies Deviations
