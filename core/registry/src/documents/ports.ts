import type { Subject } from '../events/index.js'
import type { Caller } from '../identity/index.js'
import { port } from '../kernel/port.js'
import type { DocumentRecord } from './document-store.js'
import type { IntegrationRegisterAuto, Send } from './schema.js'

/** What documents ask about the packages that they are in; the packages area provides it. */
export interface PackageRules {
  /** True when the documents of the package are signed all together or not at all. */
  signedAsWhole(packageId: string): Promise<boolean>
  /** True for the person or the employee who registered the package. */
  registeredBy(packageId: string, caller: Caller): Promise<boolean>
  /** True for who has the secret that was answered to whoever registered the package without a name. */
  knowsSecret(packageId: string, dataSecret: string | undefined): Promise<boolean>
}
export const PackageRules = port<PackageRules>('PackageRules', 'defaulted')

/** A request to send that was found to be in order. */
export interface PreparedSending {
  /** IIN or BIN. */
  readonly sender: string
  /** IIN or BIN. */
  readonly receiver: string
  readonly comment: string | undefined
  /** IIN of who asked, or SHA-256 of the certificate of the system that did. */
  readonly madeBy: string
}

/** Sends documents and packages; the routing area provides it. */
export interface Sending {
  /** Refuses callers who may not send and receivers that cannot be sent to. */
  prepare(caller: Caller, send: Send): Promise<PreparedSending>
  /**
   * Answers the `outgoingId`. Runs in the caller's transaction with the document or package locked, and delivers at once
   * what is complete already.
   */
  send(prepared: PreparedSending, subject: Subject, complete: boolean): Promise<string>
}
export const Sending = port<Sending>('Sending', 'defaulted')

/** Forwards documents to the authority that registers vehicles; the area `vehicle-registration` provides it. */
export interface Forwarding {
  /** Refuses parameters that the authority does not know. */
  check(parameters: IntegrationRegisterAuto): void
  /**
   * Keeps the parameters of a document, once: it is forwarded as soon as its original and all signatures are there. Runs in
   * the caller's transaction with the document new or locked. Refuses a document whose original is not going to be stored.
   */
  keep(document: DocumentRecord, parameters: IntegrationRegisterAuto, source: 'registration' | 'request'): Promise<void>
}
export const Forwarding = port<Forwarding>('Forwarding', 'defaulted')

/** Items by which a document or package was sent, as `GET` of it shows them to one caller. */
export interface ItemIds {
  readonly incomingIds?: string[]
  readonly outgoingIds?: string[]
}

/** What documents and packages ask about the items by which they were sent; the routing area provides it. */
export interface RoutedItems {
  /** True when any of these documents and packages was delivered to a person or an organization (IIN or BIN). */
  wasDelivered(receiver: string, ...subjectIds: readonly string[]): Promise<boolean>
  idsFor(caller: Caller, subject: Subject): Promise<ItemIds>
}
export const RoutedItems = port<RoutedItems>('RoutedItems', 'defaulted')

/** What is answered about mails that a registration asked for (specification, `POST /api/{id}/data`). */
export interface MailsAnswer {
  /** Originals go with the mails, as far as is known when it is answered. */
  readonly attached: boolean
  /** Why no mails go out now. */
  readonly message?: string
}

/** What documents ask about the mails that registrations ask for; the mail area provides it. */
export interface RegistrationMails {
  /** When the mails are out at the latest, milliseconds, where the original goes with them as it passes. */
  spoolUntil(document: DocumentRecord, size: number): number | undefined
  /** What is answered once the hashes are fixed; `undefined` where nobody asked for mails that go out now. */
  answer(document: DocumentRecord): Promise<MailsAnswer | undefined>
}
export const RegistrationMails = port<RegistrationMails>('RegistrationMails', 'defaulted')

/** OIDs of the digest algorithms that an original of so many bytes is hashed with, beside those of its signatures. */
export type ConfiguredDigests = (size: number) => readonly string[]
export const ConfiguredDigests = port<ConfiguredDigests>('ConfiguredDigests', 'defaulted')

/** What a completion set going. */
export interface Completion {
  /** The outgoing item that was delivered. */
  readonly outgoingId?: string
}

/** Hears that the registration of a document is complete: its hashes are fixed. */
export interface CompletionListener {
  /**
   * Runs inside the transaction that fixes the hashes, with the document locked, and again when that transaction loses a
   * race: it must do nothing but database work.
   */
  documentCompleted(document: DocumentRecord): Promise<Completion | undefined>
}
export const CompletionListener = port<CompletionListener>('CompletionListener', 'contribution')

/** Tells listeners in turn; the first `outgoingId` is the one that is answered. */
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

/** Whether `unique` takes `bin`, one signature of each organization; the specification allows `iin` alone. */
export const UniqueOrganizations = port<boolean>('UniqueOrganizations', 'defaulted')
