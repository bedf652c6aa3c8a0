/** Mutants that no test of their area tells from the original, and why that is right; by `nameOf`. */
export const EXPLAINED: Readonly<Record<string, string>> = {
  "routing/item-reader.js: if (error instanceof RegistryError && error.kind === 'absent') → if (error instanceof RegistryError || error.kind === 'absent')":
    'reading a document or a package is refused as forbidden or as absent, and in no other way',
  'notifications/mail-contacts.js: if (forgotten < ROWS_AT_ONCE) → if (forgotten <= ROWS_AT_ONCE)':
    'what is left is deleted the next time',
  'notifications/address.js: return at > 0 && local.length <= 64 && LOCAL_PART.test(local) && isHost; → return at >= 0 && local.length <= 64 && LOCAL_PART.test(local) && isHost;':
    'LOCAL_PART refuses an empty one',
  'signatures/carried-signature.js: buffers.push(copy.buffer); → ;': 'what is not transferred is copied',
  "vehicle-registration/forward-documents.js: const ids = events.flatMap((event) => ('documentId' in event && event.documentId ? [event.documentId] : [])); → const ids = events.flatMap((event) => ('documentId' in event || event.documentId ? [event.documentId] : []));":
    'every event that it is told has a document',
  'webhooks/webhook-subscriber.js: if (events.length === 0) → if (false && events.length === 0)':
    'of no events nothing is read, and nothing comes',
}
