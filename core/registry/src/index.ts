export { type Administration, openAdministration } from './administration.js'

export { AuditLimits, AuditQuery } from './audit/index.js'

export { LoginCertificates, type Session, Sessions } from './auth/index.js'

export {
  type Card,
  CardBuilder,
  CardComparer,
  CardError,
  type CardFault,
  type CardFile,
  type CardLanguage,
  CardLimits,
  type CardMaker,
  CardParser,
  type CardRecipe,
  type CardSignature,
  type CardWords,
  type ComparedPages,
  type SignatureCodes,
} from './cards/index.js'

export { backUpDatabase } from './database/backup.js'

export { createTable } from './database/create-table.js'

export { Database } from './database/database.js'

export { columns, type Dialect, databaseFailure } from './database/dialect.js'

export { type DatabaseFacts, databaseFacts } from './database/facts.js'

export { holdDatabase } from './database/hold-database.js'

export { insertOrLose } from './database/insert-or-lose.js'

export { DatabaseNotUsable, type SchemaStatus } from './database/migrate.js'

export { SqliteDialect } from './database/sqlite-dialect.js'

export { bytes, flag, integer, json, optional, type Stored, table, text, word } from './database/table.js'

export {
  Deliveries,
  type Delivery,
  DeliveryChannel,
  DeliveryListener,
  type DeliveryState,
  DeliveryTimes,
  DeliveryWorkers,
  type NewDelivery,
  type Outcome,
} from './deliveries/index.js'

export { describeRegistry, type RegistryDescription } from './describe-registry.js'

export {
  type Completion,
  CompletionListener,
  ConfiguredDigests,
  DocumentLimits,
  type DocumentLogProof,
  documentErrors,
  isOpenForNow,
} from './documents/index.js'

export { EventObserver, EventSubscriber, type RegistryEvent, type Subject } from './events/index.js'

export {
  type BuiltBundle,
  type Bundle,
  type CheckpointInBundle,
  type DocumentInBundle,
  EvidenceBuilder,
  EvidenceLimits,
  EvidenceParser,
  type LogInBundle,
  type ProofInBundle,
  type RecordInBundle,
  type SignatureInBundle,
} from './evidence/index.js'

export { IdempotencyLimits, idempotencyErrors, KeptAnswers } from './idempotency/index.js'

export {
  type AccessControl,
  type Anonymous,
  anonymous,
  anyone,
  authenticated,
  byItself,
  type Caller,
  type Employee,
  OrganizationControls,
  type OrganizationRight,
  OrganizationRights,
  type Owner,
  ownerOf,
  type Person,
  people,
  type System,
  told,
} from './identity/index.js'

export { AllCertificates, type CertificateInUse, CertificatesInUse } from './kernel/certificates-in-use.js'
export { Check, type CheckResult, type Finding } from './kernel/check.js'
export { checkAddress } from './kernel/check-address.js'
export {
  ClientCertificate,
  ClientCertificateOptions,
  certificateInUse,
  untilWords,
  unusable,
} from './kernel/client-certificate.js'
export { Clock, systemClock } from './kernel/clock.js'

export { ErrorTexts, type RegisteredOperation } from './kernel/compose.js'

export {
  defineErrors,
  type ErrorCatalogue,
  type ErrorDetails,
  type ErrorKind,
  type ErrorText,
  RegistryError,
} from './kernel/error.js'
export { ID_PATTERN, newId } from './kernel/ids.js'
export { type GivenLimits, Limits, LimitsPort, limits, provideLimits } from './kernel/limits.js'
export { type LogFacts, Logger, standardLogger } from './kernel/logger.js'
export { addressTest, isNetwork } from './kernel/network-address.js'
export {
  type Admitted,
  type Answer,
  type AnyOperation,
  type Guard,
  guard,
  type Input,
  type JsonBounds,
  type Keep,
  type OperationSpec,
  operation,
  refusedChannel,
  usualJson,
} from './kernel/operation.js'

export {
  type AddressGuard,
  type AllowedPorts,
  anyAddress,
  type OutboundAnswer,
  OutboundClient,
  OutboundError,
  type OutboundFailure,
  type OutboundOptions,
  type OutboundRequest,
  publicAddresses,
  type StreamedAnswer,
  type StreamedBody,
  type StreamedRequest,
} from './kernel/outbound.js'

export { area, type Migration, type Part } from './kernel/part.js'

export { definePlugin, givingWay, type Plugin } from './kernel/plugin.js'

export { type AnyPort, Port, type PortKind, port } from './kernel/port.js'

export { type Readiness, ReadinessCheck, type ReadinessReport } from './kernel/readiness.js'
export { Reloadable, ReloadRefused, Reloads, type Reread } from './kernel/reload.js'
export { replaceFile } from './kernel/replace-file.js'
export { requestErrors } from './kernel/request-errors.js'
export { type ScheduledTask, ScheduleError, Schedules, type TaskSpec } from './kernel/schedule.js'
export {
  type Binding,
  type Called,
  type Calls,
  type Dependencies,
  type Injected,
  provide,
  provideValue,
  type Recipe,
  type Service,
  watch,
} from './kernel/service.js'
export { settledWithin } from './kernel/settled-within.js'
export { documentPage, packagePage, Site, siteAt } from './kernel/site.js'
export { type RequestTrace, type TracedAnswer, type TracedRequest, Tracer } from './kernel/tracer.js'

export type { BodyStream, Upload, UploadStream } from './kernel/upload.js'

export {
  defaultRates,
  defaultShares,
  type GivenShares,
  type HostResource,
  isResource,
  JsonPace,
  Ledger,
  type Lenders,
  ledgerErrors,
  networkOf,
  noRates,
  partOfShares,
  RateLimit,
  type RateSettings,
  RequestRates,
  type Resource,
  type Share,
  Shares,
  type ShareTable,
  type Taken,
} from './ledger/index.js'

export {
  type AuditedEntry,
  type EntryAt,
  type EntryOfLog,
  type LogFigures,
  type LogMoment,
  type LogOptions,
  type LogReport,
  LogState,
  ServeLog,
  type UnloggedFact,
  type WitnessReport,
} from './log/index.js'

export { type LogAudit, openLogAudit } from './log-audit.js'

export {
  DeliveryReports,
  type MailAnswer,
  type MailAttachment,
  Mailer,
  MailLanguage,
  MailLimits,
  type MailMessage,
  mailWords,
  NotificationRecord,
  type Refusable,
  Unsubscribing,
  unsubscribeWords,
} from './mail/index.js'

export { MailBudgets, NotificationLimits } from './notifications/index.js'

export {
  type Account,
  Branding,
  FEATURES,
  type OrganizationBranding,
  OrganizationLimits,
  type ShownBranding,
  SUBSCRIPTIONS,
  Subscriptions,
  SystemKeys,
  WebhookAddresses,
  WebhookPorts,
} from './organizations/index.js'

export {
  ArchiveFull,
  type ArchiveKey,
  ArchiveStore,
  archiveEncryption,
  type ByteRange,
  ContentScanner,
  isArchiveKey,
  type ListedObject,
  OriginalLimits,
  originalErrors,
  piecesOf,
  ScannerUnavailable,
  type ScanVerdict,
  type StoredObject,
} from './originals/index.js'

export { PackageCompletionListener, PackageLimits } from './packages/index.js'

export { PartyNames } from './parties/index.js'

export {
  type AnnouncedProcedure,
  type Announcement,
  type AppDocuments,
  type AppProof,
  AppSide,
  FindProcedure,
  type HeldCall,
  HeldCalls,
  HeldCallsByDirectory,
  type HeldConnection,
  type HeldSide,
  type KeptBody,
  MobileApp,
  type Origin,
  Peers,
  ProcedureLimits,
  type Relay,
  type RelayedDocuments,
  RelayRefusal,
} from './procedures/index.js'

export { createRegistry, type Registry, type RegistryLimits, type RegistryOptions } from './registry.js'

export {
  type LostProof,
  type ProofsThatEnd,
  type RenewalOptions,
  type RenewalProblem,
  type RenewalReport,
  ReportRenewal,
} from './renewal/index.js'

export { ReportLimits, StatementKey } from './reports/index.js'

export { RoutingLimits } from './routing/index.js'

export { type PluginReport, runChecks } from './run-checks.js'
export { openSchema, type Schema } from './schema.js'

export { ArchiveLimits, type ArchiveQuota } from './settings/index.js'

export {
  AuthorityUnavailable,
  type Call,
  CallStatistics,
  Certificate,
  CheckedSignature,
  CheckedSigner,
  defaultSignaturePolicy,
  type ExchangeOptions,
  publicAddress,
  SignatureLimits,
  SignaturePolicy,
  StatusSource,
  TimestampSource,
  type Trust,
  type TrustState,
  TrustStore,
} from './signatures/index.js'

export { type FoundFile, fileErrors, type OpenFile, SignedFileReader } from './signed-files/index.js'

export { CheckStates, License, StatusLimits, type ToldCheck } from './status/index.js'

export { englishNames, stringConsts } from './strings/index.js'

export { TemplateLimits } from './templates/index.js'

export { capital, type Term, terms } from './terms/index.js'

export {
  type VehicleAnswer,
  type VehicleCatalogue,
  type VehicleDocument,
  VehicleLimits,
  VehicleRegistration,
  type VehicleSignature,
} from './vehicle-registration/index.js'

export { cookieName, cookieValues, type PageAnswer, type PageRequest, readCookie, WebPages } from './web/index.js'

export { type WebhookAnswer, type WebhookRequest, WebhookSender, WebhookSuccess } from './webhooks/index.js'
