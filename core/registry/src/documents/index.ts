export { AddedSignature, AddSignature, AddSignatureRequest, addedSignature } from './add-signature.js'
export { documentProofs, documentsArea } from './area.js'
export { type AwaitedSigner, AwaitedSigners } from './awaited-signers.js'
export { BuildFileName, BuiltFileName } from './build-file-name.js'
export { ChangeDocumentSettings, ChangedDocument } from './change-document-settings.js'
export { coveredFingerprint, type NamedFile } from './covered-fingerprint.js'
export { DigestEnds } from './digest-ends.js'
export { FixedDigests } from './digest-fixing.js'
export { DigestOpenings, isOpenForNow } from './digest-openings.js'
export { DocumentAccess } from './document-access.js'
export { DocumentLists } from './document-lists.js'
export { DocumentSigning, type SigningResult } from './document-signing.js'
export {
  type DocumentRecord,
  DocumentStore,
  type Registrator,
  registratorObject,
  registratorOf,
} from './document-store.js'
export { DocumentVersions } from './document-versions.js'
export { checkEmailNotifications } from './email-notifications.js'
export { type EndingOwner, EndingOwners } from './ending-owners.js'
export { documentErrors } from './errors.js'
export { ExportedSignature, ExportQuery, ExportSignature, exportedForm } from './export-signature.js'
export { asFileName, checkTitles, withoutId } from './file-name.js'
export { FindDocumentsByDigest, FoundDocuments } from './find-documents-by-digest.js'
export { FindExportedSignature, FindExportedSignatureRequest, FoundSignature } from './find-exported-signature.js'
export { FindSignature, type KnownSignature } from './find-signature.js'
export { FixDigests } from './fix-digests.js'
export { ForgetDocuments, IncompleteRetention } from './forget-documents.js'
export { ForgottenEntries } from './forgotten-entries.js'
export { GetDocument } from './get-document.js'
export { DocumentData, GetDocumentData } from './get-document-data.js'
export { DocumentDigests, GetDocumentDigests } from './get-document-digests.js'
export { DocumentProof, GetDocumentProof } from './get-document-proof.js'
export { DocumentSettingsAudit, GetDocumentSettingsAudit } from './get-document-settings-audit.js'
export { DocumentIdFromName, IdFromFileName } from './id-from-file-name.js'
export { assertSigned, digestsToJson } from './kept-signature.js'
export { KnownDigests } from './known-digests.js'
export { DocumentLimits } from './limits.js'
export { DocumentList, DocumentListItem, ListDocuments, ListDocumentsQuery } from './list-documents.js'
export { ListEndingDigests } from './list-ending-digests.js'
export { NormalizedId, NormalizeId } from './normalize-id.js'
export { type GuardOptions, onDocument } from './on-document.js'
export {
  type Completion,
  CompletionListener,
  ConfiguredDigests,
  Forwarding,
  type ItemIds,
  type MailsAnswer,
  PackageRules,
  type PreparedSending,
  RegistrationMails,
  type RenewedProof,
  RenewedProofs,
  RoutedItems,
  Sending,
  tellCompletion,
  UniqueOrganizations,
} from './ports.js'
export { type DocumentLogProof, ProveDocument } from './prove-document.js'
export { RegisterDocument, RegisterDocumentRequest, RegisteredDocument } from './register-document.js'
export { RevocationListStore } from './revocation-list-store.js'
export * from './schema.js'
export { SeenInLog } from './seen-in-log.js'
export { areAccessRules, assertInTime, checkDocumentSettings, SettingsOffered } from './settings-rules.js'
export type { SignatureRecord } from './signature-record.js'
export { SignatureStore } from './signature-store.js'
export { signerEmail } from './signer-profiles.js'
export { type Signer, SignerStore } from './signer-store.js'
export { UnknownSignatures } from './unknown-signatures.js'
export { VerifyAgain } from './verify-again.js'
export { VerifiedDocument, VerifyDocument } from './verify-document.js'
export { FoundDocument, ViewableDocuments } from './viewable-documents.js'
export { type CheckedDocument, type WholeDocument, WholeDocuments } from './whole-documents.js'
