export { type Administration, openAdministration } from './administration.js'
export {
  Authenticate,
  type Authenticated,
  type Authentication,
  AuthenticationLog,
  AuthenticationNonce,
  AuthenticationRequest,
  AuthenticationResult,
  authErrors,
  GetAuthentication,
  GetAuthenticationLog,
  RequestNonce,
  type SignedNonce,
} from './auth/index.js'
export { SqliteDialect } from './database/sqlite-dialect.js'
export {
  AddedSignature,
  AddSignature,
  AddSignatureRequest,
  BuildFileName,
  BuiltFileName,
  ChangeDocumentSettings,
  ChangedDocument,
  ConfiguredDigests,
  Document,
  DocumentIdFromName,
  DocumentList,
  DocumentListItem,
  DocumentSettings,
  DocumentSettingsAudit,
  documentErrors,
  EmailNotifications,
  ExportedSignature,
  ExportSignature,
  FindExportedSignature,
  FindExportedSignatureRequest,
  FixDigests,
  FixedDigests,
  FoundSignature,
  GetDocument,
  GetDocumentSettingsAudit,
  idFromFileName,
  ListDocuments,
  type ListDocumentsQuery,
  NormalizedId,
  normalizeId,
  RegisterDocument,
  RegisterDocumentRequest,
  RegisteredDocument,
  type Upload,
  VerifiedDocument,
  VerifyDocument,
} from './documents/index.js'
export { EventListener, type RegistryEvent } from './events/index.js'
export { anonymous, type Caller, type Employee, type Person, type System } from './identity/index.js'
export { Clock, systemClock } from './kernel/clock.js'
export {
  defineErrors,
  type ErrorCatalogue,
  type ErrorDetails,
  type ErrorKind,
  type ErrorText,
  RegistryError,
} from './kernel/error.js'
export { newId } from './kernel/ids.js'
export { defaultLimits, Limits } from './kernel/limits.js'
export { definePlugin, type Plugin } from './kernel/plugin.js'
export { ScheduledTask } from './kernel/schedule.js'
export { type Token, token } from './kernel/token.js'
export {
  type Account,
  FEATURES,
  type Feature,
  Features,
  GetOrganizationPermissions,
  GetOrganizationSettings,
  GetOrganizationSettingsAudit,
  GetOrganizationSubscription,
  IdentifySystem,
  ListAccounts,
  OrganizationPermissions,
  OrganizationSettings,
  OrganizationSettingsAudit,
  OrganizationSubscription,
  SavedOrganizationSettings,
  SaveOrganizationSettings,
  SaveOrganizationSettingsRequest,
  SetSubscription,
  SUBSCRIPTIONS,
  type SubscriptionChange,
  type SubscriptionName,
  WebhookAddresses,
} from './organizations/index.js'
export { createRegistry, type Registry, type RegistryOptions } from './registry.js'
export {
  type ArchiveAccount,
  type ArchiveQuota,
  GetUserSettings,
  GetUserSettingsAudit,
  SavedUserSettings,
  SaveUserSettings,
  SaveUserSettingsRequest,
  UserSettings,
  UserSettingsAudit,
} from './settings/index.js'
export {
  AuthorityUnavailable,
  CallStatistics,
  Certificate,
  type ExchangeOptions,
  onlineAuthorities,
  StatusSource,
  TimestampSource,
  type Trust,
  type TrustState,
  TrustStore,
} from './signatures/index.js'
export { ExternalServiceStat, GetExternalServicesStats, GetVersion, License, Version } from './status/index.js'
export { ErrorTexts, GetStrings, Strings } from './strings/index.js'
