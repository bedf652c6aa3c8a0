export { type ArchiveStoreUnderTest, archiveStoreContract } from './archive-store.js'
export { type CardMakerUnderTest, cardMakerContract } from './card-maker.js'
export { type CheckUnderTest, checkContract } from './check.js'
export type { Clause } from './clause.js'
export { type ContentScannerUnderTest, contentScannerContract } from './content-scanner.js'
export { type DeliveryReportsUnderTest, deliveryReportsContract } from './delivery-reports.js'
export { type EvidenceUnderTest, evidenceContract, type StreamedOriginal } from './evidence.js'
export { type HeldCallsUnderTest, heldCallsContract } from './held-calls.js'
export { type MailerUnderTest, mailerContract, type ReceivedMessage } from './mailer.js'
export { type MobileAppUnderTest, mobileAppContract } from './mobile-app.js'
export { type PeersUnderTest, peersContract } from './peers.js'
export { type StatusSourceUnderTest, statusSourceContract } from './status-source.js'
export { type TimestampSourceUnderTest, timestampSourceContract } from './timestamp-source.js'
export { type TrustStoreUnderTest, trustStoreContract } from './trust-store.js'
export {
  type ForwardedDocument,
  type VehicleRegistrationUnderTest,
  vehicleRegistrationContract,
} from './vehicle-registration.js'
export { type WebPagesUnderTest, webPagesContract } from './web-pages.js'
export { type ReceivedRequest, type WebhookSenderUnderTest, webhookSenderContract } from './webhook-sender.js'
