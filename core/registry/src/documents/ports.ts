import type { Subject } from '../events/index.js'
import type { Caller } from '../identity/index.js'
import { port } from '../kernel/port.js'
import type { DocumentRecord } from './document-store.js'
import type { IntegrationRegisterAuto, Send } from './schema.js'

/** What documents ask about the packages that they are in; the packages area provides it. */
export interface PackageRules {
  /** True when the package can only be signed as a whole. */
  signedAsWhole(packageId: string): Promise<boolean>
  /** True for the person or employee who registered the package. */
  registeredBy(packageId: string, caller: Caller): Promise<boolean>
  /** True for the secret that was returned to the anonymous registrator of the package. */
  knowsSecret(packageId: string, dataSecret: string | undefined): Promise<boolean>
}
export const PackageRules = port<PackageRules>('PackageRules', 'defaulted')

/** A validated request to send. */
export interface PreparedSending {
  /** IIN or BIN. */
  readonly sender: string
  /** IIN or BIN. */
  readonly receiver: string
  readonly comment: string | undefined
  /** A signature is wanted, not only acceptance. */
  readonly toSign: boolean
  /** When it can no longer be accepted, milliseconds. */
  readonly deadline: number | undefined
  /** IIN of the caller, or SHA-256 of the certificate of the calling system. */
  readonly madeBy: string
}

/** Sends documents and packages; the routing area provides it. */
export interface Sending {
  /** Refuses callers who may not send and receivers that cannot be sent to. */
  prepare(caller: Caller, send: Send): Promise<PreparedSending>
  /**
   * Returns the `outgoingId`. Runs in the caller's transaction with the document or package locked; delivers at once if that
   * is complete.
   */
  send(prepared: PreparedSending, subject: Subject, complete: boolean): Promise<string>
}
export const Sending = port<Sending>('Sending', 'defaulted')

/** Forwards documents to the authority that registers vehicles; the area `vehicle-registration` provides it. */
export interface Forwarding {
  /** Refuses parameters that the authority does not know. */
  check(parameters: IntegrationRegisterAuto): void
  /**
   * Stores the parameters of a document, once: it is forwarded when its original and all signatures are there. Runs in the
   * caller's transaction with the document new or locked. Refuses a document whose original will not be stored.
   */
  keep(document: DocumentRecord, parameters: IntegrationRegisterAuto, source: 'registration' | 'request'): Promise<void>
}
export const Forwarding = port<Forwarding>('Forwarding', 'defaulted')

/** Items by which a document or package was sent, as shown to one caller. */
export interface ItemIds {
  readonly incomingIds?: string[]
  readonly outgoingIds?: string[]
}

/** What documents and packages ask about the items by which they were sent; the routing area provides it. */
export interface RoutedItems {
  /** True when any of these documents and packages was delivered to a person or an organization (IIN or BIN). */
  wasDelivered(receiver: string, ...subjectIds: readonly string[]): Promise<boolean>
  idsFor(caller: Caller, subject: Subject): Promise<ItemIds>
  /** Forgets what opens the log's entries that name documents and packages, in the transaction that deletes these. */
  forgetEntries(subjectIds: readonly string[], reason: string): Promise<void>
}
export const RoutedItems = port<RoutedItems>('RoutedItems', 'defaulted')

/** The answer about mails that a registration requested (specification, `POST /api/{id}/data`). */
export interface MailsAnswer {
  /** Whether originals are attached to the mails, as far as is known yet. */
  readonly attached: boolean
  /** Why no mails are sent now. */
  readonly message?: string
}

/** What documents ask about the mails that registrations request; the mail area provides it. */
export interface RegistrationMails {
  /** When the mails are sent at the latest, milliseconds, if the original must be spooled for them during the upload. */
  spoolUntil(document: DocumentRecord, size: number): number | undefined
  /** The answer once the hashes are fixed; `undefined` if no mails were requested that are sent now. */
  answer(document: DocumentRecord): Promise<MailsAnswer | undefined>
}
export const RegistrationMails = port<RegistrationMails>('RegistrationMails', 'defaulted')

/** What renewals keep of a signature: its proof that goes on when authorities and algorithms end (RFC 4998). */
export interface RenewedProof {
  /** The octets that the record is about, as `writeDataObject` writes them. */
  readonly object: Uint8Array
  /** EvidenceRecord, DER. */
  readonly record: Uint8Array
  /** When the newest time stamp of the record was made (genTime), milliseconds. */
  readonly renewedAt: number
}

/** Has the renewed proofs of signatures; the area `renewal` provides it. */
export interface RenewedProofs {
  /** By `signId`, of those that have one. */
  of(signIds: readonly number[]): Promise<ReadonlyMap<number, RenewedProof>>
}
export const RenewedProofs = port<RenewedProofs>('RenewedProofs', 'defaulted')

/** OIDs of the digest algorithms for an original of this size, besides those of its signatures. */
export type ConfiguredDigests = (size: number) => readonly string[]
export const ConfiguredDigests = port<ConfiguredDigests>('ConfiguredDigests', 'defaulted')

/** What a completion caused. */
export interface Completion {
  /** The outgoing item that was delivered. */
  readonly outgoingId?: string
}

/** Is told that the registration of a document is complete: its hashes are fixed. */
export interface CompletionListener {
  /**
   * Runs in the transaction that fixes the hashes, with the document locked, and again when that is retried: it must do
   * nothing but database work.
   */
  documentCompleted(document: DocumentRecord): Promise<Completion | undefined>
}
export const CompletionListener = port<CompletionListener>('CompletionListener', 'contribution')

/** Calls listeners in turn; returns the first `outgoingId`. */
export async function tellCompletion<L>(
  listeners: readonly L[],
  tell: (listener: L) => Promise<Completion | undefined>,
): Promise<Completion> {
  let outgoingId: string | undefined
  for (const listener of listeners) {
    const completion = await tell(listener)
    outgoingId ??= completion?.outgoingId
  }
  return outgoingId === undefined ? {} : { outgoingId }
}

/** Whether `unique` takes `bin`, one signature of each organization; the specification allows only `iin`. */
export const UniqueOrganizations = port<boolean>('UniqueOrganizations', 'defaulted')
