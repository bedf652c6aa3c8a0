import type { Subject } from '../events/index.js'
import type { Caller } from '../identity/index.js'
import { token } from '../kernel/token.js'
import type { Send } from './schema.js'

/** What documents ask about the packages that they are in; the packages area provides it. */
export interface PackageRules {
  /** True when the documents of the package are signed all together or not at all. */
  signedAsWhole(packageId: string): Promise<boolean>
  /** True when the caller registered the package, or may speak for who did; anyone may for an unknown registrator. */
  registeredBy(packageId: string, caller: Caller): Promise<boolean>
}
export const PackageRules = token<PackageRules>('PackageRules')

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
export const Sending = token<Sending>('Sending')

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
export const RoutedItems = token<RoutedItems>('RoutedItems')
