export { type AddedSignature, AddSignature, type AddSignatureRequest } from './add-signature.js'
export { BuildFileName, type BuiltFileName } from './build-file-name.js'
export { ChangeDocumentSettings, type ChangedDocument } from './change-document-settings.js'
export { CheckRegistration, type CheckRegistrationRequest } from './check-registration.js'
export type { FixedDigests } from './digest-fixing.js'
export { type ExportedSignature, ExportSignature } from './export-signature.js'
export { FindDocumentsByDigest, type FoundDocuments } from './find-documents-by-digest.js'
export {
  FindExportedSignature,
  type FindExportedSignatureRequest,
  type FoundSignature,
} from './find-exported-signature.js'
export { FixDigests } from './fix-digests.js'
export { GetDocument } from './get-document.js'
export { type DocumentData, GetDocumentData } from './get-document-data.js'
export { type DocumentDigests, GetDocumentDigests } from './get-document-digests.js'
export { type DocumentProof, GetDocumentProof } from './get-document-proof.js'
export { type DocumentSettingsAudit, GetDocumentSettingsAudit } from './get-document-settings-audit.js'
export { type DocumentIdFromName, IdFromFileName } from './id-from-file-name.js'
export { type DocumentList, type DocumentListItem, ListDocuments, type ListDocumentsQuery } from './list-documents.js'
export { type NormalizedId, NormalizeId } from './normalize-id.js'
export { RegisterDocument, type RegisterDocumentRequest, type RegisteredDocument } from './register-document.js'
export type { DocumentResource, DocumentSettings, EmailNotifications } from './schema.js'
export { type VerifiedDocument, VerifyDocument } from './verify-document.js'
