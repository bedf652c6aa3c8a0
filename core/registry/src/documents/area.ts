import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provide, provideValue } from '../kernel/service.js'
import { LoggedFacts } from '../log/index.js'
import { defaultSignaturePolicy, SignaturePolicy, SignerKeys } from '../signatures/index.js'
import { AwaitedSigners } from './awaited-signers.js'
import { ClaimedKeys } from './claimed-keys.js'
import { DigestEnds } from './digest-ends.js'
import { DigestFixing } from './digest-fixing.js'
import { DigestOpenings } from './digest-openings.js'
import { DigestSearch } from './digest-search.js'
import { DocumentAccess } from './document-access.js'
import { DocumentLists } from './document-lists.js'
import { DocumentSigning } from './document-signing.js'
import { DocumentStore } from './document-store.js'
import { DocumentVersions } from './document-versions.js'
import { EndingDocuments } from './ending-documents.js'
import { EndingOwners } from './ending-owners.js'
import { documentErrors } from './errors.js'
import { FindSignature } from './find-signature.js'
import { ForgetDocuments, IncompleteRetention, WaitingDocuments } from './forget-documents.js'
import { ForgottenEntries } from './forgotten-entries.js'
import { KeptProofs } from './kept-proofs.js'
import { KnownDigests } from './known-digests.js'
import { DocumentLimits } from './limits.js'
import { ListEndingDigests } from './list-ending-digests.js'
import { LoggedDocuments } from './logged-documents.js'
import * as documents from './migrations/0001-documents.js'
import * as revocationLists from './migrations/0010-revocation-lists.js'
import * as signerKeys from './migrations/0011-signer-keys.js'
import * as search from './migrations/0020-search.js'
import * as listsByState from './migrations/0061-lists-by-state.js'
import * as olderSignerKeys from './migrations/0076-older-signer-keys.js'
import * as waitingDocuments from './migrations/0080-waiting-documents.js'
import * as digestIndex from './migrations/0095-digest-index.js'
import * as claimedKeys from './migrations/0120-claimed-keys.js'
import * as openDigests from './migrations/0130-open-digests.js'
import * as documentTurns from './migrations/0155-document-turns.js'
import * as digestOpenings from './migrations/0157-digest-openings.js'
import * as laterDigests from './migrations/0164-later-digests.js'
import * as documentVersions from './migrations/0175-document-versions.js'
import * as endingDigests from './migrations/0180-ending-digests.js'
import * as coverage from './migrations/0181-coverage.js'
import * as evidenceInSignatures from './migrations/0210-evidence-in-signatures.js'
import { NewDocuments } from './new-documents.js'
import * as operations from './operations.js'
import { ConfiguredDigests, UniqueOrganizations } from './ports.js'
import { PostingsReader } from './postings.js'
import { ProveDocument } from './prove-document.js'
import { RegistrationRules } from './registration-rules.js'
import { RevocationListStore } from './revocation-list-store.js'
import { SearchDocuments } from './search-documents.js'
import { SeenInLog } from './seen-in-log.js'
import { SettingsOffered } from './settings-rules.js'
import { SignatureStore } from './signature-store.js'
import { SignerProfiles } from './signer-profiles.js'
import { SignerStore } from './signer-store.js'
import { defaultDigests, TakeOriginal } from './take-original.js'
import { UnknownSignatures } from './unknown-signatures.js'
import { VerifyAgain } from './verify-again.js'
import { ViewableDocuments } from './viewable-documents.js'
import { WholeDocuments } from './whole-documents.js'
import { WordIndex } from './word-index.js'

/** The part of the area that proves by the log what is registered, for the operator's commands. */
export const documentProofs = area({
  name: 'documents',
  services: [DigestOpenings, ClaimedKeys, DocumentStore, RevocationListStore, SignatureStore, ProveDocument],
  provides: [provide(LoggedFacts, LoggedDocuments), provideValue(SignaturePolicy, defaultSignaturePolicy)],
})

export const documentsArea = area({
  name: 'documents',
  errors: [documentErrors],
  migrations: {
    '0001-documents': documents,
    '0010-revocation-lists': revocationLists,
    '0011-signer-keys': signerKeys,
    '0020-search': search,
    '0061-lists-by-state': listsByState,
    '0095-digest-index': digestIndex,
    '0076-older-signer-keys': olderSignerKeys,
    '0080-waiting-documents': waitingDocuments,
    '0120-claimed-keys': claimedKeys,
    '0130-open-digests': openDigests,
    '0155-document-turns': documentTurns,
    '0157-digest-openings': digestOpenings,
    '0164-later-digests': laterDigests,
    '0175-document-versions': documentVersions,
    '0180-ending-digests': endingDigests,
    '0181-coverage': coverage,
    '0210-evidence-in-signatures': evidenceInSignatures,
  },
  services: [
    AwaitedSigners,
    RegistrationRules,
    SignerStore,
    UnknownSignatures,
    WholeDocuments,
    DigestOpenings,
    ClaimedKeys,
    DocumentStore,
    RevocationListStore,
    SignatureStore,
    DocumentAccess,
    DocumentVersions,
    SignerProfiles,
    DigestEnds,
    EndingDocuments,
    EndingOwners,
    KnownDigests,
    DocumentSigning,
    NewDocuments,
    FindSignature,
    DigestSearch,
    ViewableDocuments,
    KeptProofs,
    SeenInLog,
    VerifyAgain,
    WordIndex,
    PostingsReader,
    DocumentLists,
    SearchDocuments,
    TakeOriginal,
    SettingsOffered,
    DigestFixing,
    IncompleteRetention,
    WaitingDocuments,
    ForgottenEntries,
  ],
  provides: [
    provide(SignerKeys, SignatureStore),
    provide(LoggedFacts, LoggedDocuments),
    provideLimits(DocumentLimits),
    provideValue(UniqueOrganizations, false),
    provideValue(ConfiguredDigests, defaultDigests),
  ],
  tasks: [ForgetDocuments, ListEndingDigests],
  operations: Object.values(operations),
})
