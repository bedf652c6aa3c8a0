import {
  Branding,
  Clock,
  EvidenceLimits,
  type Injected,
  Logger,
  OrganizationControls,
  OrganizationRights,
  PartyNames,
  RoutingLimits,
  Site,
  Subscriptions,
  TrustStore,
  Unsubscribing,
} from '@signed-registry/core'
import { GetAuthentication, GetAuthenticationLog } from '@signed-registry/core/auth'
import {
  ChangeDocumentSettings,
  GetDocument,
  GetDocumentData,
  GetDocumentProof,
  GetDocumentSettingsAudit,
  ListDocuments,
  NormalizeId,
} from '@signed-registry/core/documents'
import { GetSignatureInclusion } from '@signed-registry/core/evidence'
import {
  GetMailAddresses,
  ListDocumentMails,
  ListPackageMails,
  NotifyDocument,
  NotifyPackage,
} from '@signed-registry/core/mail'
import {
  GetOrganizationSettings,
  GetOrganizationSettingsAudit,
  GetOrganizationSubscription,
} from '@signed-registry/core/organizations'
import {
  ChangePackageSettings,
  GetPackage,
  GetPackageSettingsAudit,
  ListPackages,
} from '@signed-registry/core/packages'
import { GetStatementKey } from '@signed-registry/core/reports'
import {
  GetDocumentThread,
  GetIncoming,
  GetOutgoing,
  GetPackageThread,
  ListIncoming,
  ListOutgoing,
} from '@signed-registry/core/routing'
import { GetUserSettings, GetUserSettingsAudit } from '@signed-registry/core/settings'
import { ListTemplates } from '@signed-registry/core/templates'
import { GetWebhooks, ListWebhookDeliveries } from '@signed-registry/core/webhooks'

/** What pages read, and the operations that they offer. */
export const OPERATIONS = {
  site: Site,
  branding: Branding,
  changeDocumentSettings: ChangeDocumentSettings,
  changePackageSettings: ChangePackageSettings,
  clock: Clock,
  evidenceLimits: EvidenceLimits,
  getAuthentication: GetAuthentication,
  getAuthenticationLog: GetAuthenticationLog,
  getDocument: GetDocument,
  getDocumentData: GetDocumentData,
  getDocumentProof: GetDocumentProof,
  getDocumentSettingsAudit: GetDocumentSettingsAudit,
  getDocumentThread: GetDocumentThread,
  getIncoming: GetIncoming,
  getMailAddresses: GetMailAddresses,
  getOrganizationSettings: GetOrganizationSettings,
  getOrganizationSettingsAudit: GetOrganizationSettingsAudit,
  getOrganizationSubscription: GetOrganizationSubscription,
  getOutgoing: GetOutgoing,
  getPackage: GetPackage,
  getPackageSettingsAudit: GetPackageSettingsAudit,
  getPackageThread: GetPackageThread,
  getSignatureInclusion: GetSignatureInclusion,
  getStatementKey: GetStatementKey,
  getUserSettings: GetUserSettings,
  getUserSettingsAudit: GetUserSettingsAudit,
  getWebhooks: GetWebhooks,
  listDocumentMails: ListDocumentMails,
  listDocuments: ListDocuments,
  listIncoming: ListIncoming,
  listOutgoing: ListOutgoing,
  listPackageMails: ListPackageMails,
  listPackages: ListPackages,
  listTemplates: ListTemplates,
  listWebhookDeliveries: ListWebhookDeliveries,
  logger: Logger,
  normalizeId: NormalizeId,
  notifyDocument: NotifyDocument,
  notifyPackage: NotifyPackage,
  organizationControls: OrganizationControls,
  partyNames: PartyNames,
  organizationRights: OrganizationRights,
  routingLimits: RoutingLimits,
  subscriptions: Subscriptions,
  trustStore: TrustStore,
  unsubscribing: Unsubscribing,
}
export type Operations = Injected<typeof OPERATIONS>
