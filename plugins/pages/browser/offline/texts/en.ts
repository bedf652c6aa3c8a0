/** What the page for checking without a network says. */
export const offlineTexts = {
  title: 'Check signatures without a network',
  lead: 'This page verifies signed files, signatures and evidence bundles on your computer. It sends nothing anywhere and asks nobody, so that it gives the same answer when the registry is gone.',
  languages: 'Language',
  files: 'What is to be checked',
  drop: 'Drop a signed file, a signature with the document that it is on, or an evidence bundle, here',
  choose: 'Choose files',
  dropHint: 'Files stay on your computer.',
  chosen: 'Chosen',
  noSignature:
    'There is no signature among these files yet. Add a signed PDF or container, a .cms, .p7s, .p7m, .sig or .xml file, or an evidence bundle.',
  trust: 'Whom you trust',
  trustText:
    'Nobody is trusted until you say so. Add the root certificates of the certification authorities that you trust, taken from a source that you trust, and the certificates between them and the signers if a signature does not carry them.',
  dropTrust: 'Drop certificates here (PEM or DER)',
  chooseTrust: 'Choose certificates',
  nobodyTrusted: 'You have not said whom you trust. Who signed is therefore not proved: add certificates below.',
  refused: {
    anchor: 'This is not a certificate in PEM or DER.',
    noRoot: 'There is no root certificate among these: add one that is signed by its own key.',
    key: 'This is not a key of a registry. It looks like “registry.example+1a2b3c4d+AQ…”.',
    unreadable: 'The file cannot be read. It may have been changed or moved.',
  },
  key: 'Key of the registry (optional)',
  keyHint:
    'It proves what the registry says of a document in an evidence bundle. Ask the registry for it in advance: GET /api/statementKey.',
  unsigned: (name: string) => `None of these signatures is on “${name}”.`,
  timeZone: 'All times are UTC+5 (Astana).',
}
export type OfflineTexts = typeof offlineTexts
