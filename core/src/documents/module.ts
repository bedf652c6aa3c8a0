import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { AddSignature } from './add-signature.js'
import { BuildFileName } from './build-file-name.js'
import { ChangeDocumentSettings } from './change-document-settings.js'
import { DocumentAccess } from './document-access.js'
import { DocumentLists } from './document-lists.js'
import { DocumentStore } from './document-store.js'
import { ExportSignature } from './export-signature.js'
import { FindExportedSignature } from './find-exported-signature.js'
import { FixDigests } from './fix-digests.js'
import { GetDocument } from './get-document.js'
import { GetDocumentSettingsAudit } from './get-document-settings-audit.js'
import { ListDocuments } from './list-documents.js'
import { RegisterDocument } from './register-document.js'
import { RevocationListStore } from './revocation-list-store.js'
import { SearchDocuments } from './search-documents.js'
import { SignatureStore } from './signature-store.js'
import { SignerProfiles } from './signer-profiles.js'
import { StoreDocument } from './store-document.js'
import { StoreSignature } from './store-signature.js'
import { VerifyDocument } from './verify-document.js'
import { WordIndex } from './word-index.js'

export const documentsModule = new ContainerModule(({ bind }) => {
  provide(bind, DocumentStore, DocumentStore)
  provide(bind, RevocationListStore, RevocationListStore)
  provide(bind, SignatureStore, SignatureStore)
  provide(bind, DocumentAccess, DocumentAccess)
  provide(bind, SignerProfiles, SignerProfiles)
  provide(bind, StoreDocument, StoreDocument)
  provide(bind, StoreSignature, StoreSignature)
  provide(bind, WordIndex, WordIndex)
  provide(bind, DocumentLists, DocumentLists)
  provide(bind, SearchDocuments, SearchDocuments)
  provide(bind, ListDocuments, ListDocuments)
  provide(bind, ChangeDocumentSettings, ChangeDocumentSettings)
  provide(bind, GetDocumentSettingsAudit, GetDocumentSettingsAudit)
  provide(bind, RegisterDocument, RegisterDocument)
  provide(bind, FixDigests, FixDigests)
  provide(bind, GetDocument, GetDocument)
  provide(bind, AddSignature, AddSignature)
  provide(bind, VerifyDocument, VerifyDocument)
  provide(bind, FindExportedSignature, FindExportedSignature)
  provide(bind, ExportSignature, ExportSignature)
  provide(bind, BuildFileName, BuildFileName)
})
