export { AddSignature, addedSignature } from './add-signature.js'
export { BuildFileName } from './build-file-name.js'
export { ChangeDocumentSettings } from './change-document-settings.js'
export { areAccessRules, checkDocumentSettings, checkEmailNotifications, checkTitles } from './check-request.js'
export { type Completion, CompletionListener, tellCompletion } from './completion.js'
export { ConfiguredDigests } from './configured-digests.js'
export { DocumentAccess } from './document-access.js'
export { type Digests, DocumentStore, type StoredDocument } from './document-store.js'
export { documentErrors } from './errors.js'
export { ExportSignature } from './export-signature.js'
export { idFromFileName, normalizeId } from './file-name.js'
export { FindExportedSignature } from './find-exported-signature.js'
export { FixDigests } from './fix-digests.js'
export { GetDocument } from './get-document.js'
export { GetDocumentSettingsAudit } from './get-document-settings-audit.js'
export { ListDocuments, type ListDocumentsQuery } from './list-documents.js'
export { documentsModule } from './module.js'
export { type ItemIds, PackageRules, type PreparedSending, RoutedItems, Sending } from './ports.js'
export { RegisterDocument } from './register-document.js'
export {
  type Registrator,
  type RegistratorRow,
  readRegistrator,
  registratorObject,
  registratorOf,
  registratorToRow,
} from './registrator.js'
export * from './schema.js'
export { assertSigned } from './signed-digests.js'
export { StoreDocument } from './store-document.js'
export { type StoredSignatureResult, StoreSignature } from './store-signature.js'
export type { Upload } from './upload.js'
export { VerifyDocument } from './verify-document.js'
