import { port } from '../kernel/port.js'

/** A text in the languages of the strings registry. */
interface Translation {
  readonly ru: string
  readonly kk: string
}

/** What an authority accepts; published by `GET /api/strings`. Codes are at most 64 printable ASCII characters. */
export interface VehicleCatalogue {
  /** Names by `documentTypeCode`. */
  readonly documentTypes: Readonly<Record<string, Translation>>
  /** Names by the roles that `signers` may list. */
  readonly signers: Readonly<Record<string, Translation>>
  /** Translations of the authority's error texts; it may send others as well. */
  readonly errors: Readonly<Record<string, Translation>>
}

/** A signature and its signer's role. */
export interface VehicleSignature {
  readonly signId: number
  /** A role of the catalogue. */
  readonly signer: string
  readonly signType: 'cms' | 'xml'
  /** IIN of the signer. */
  readonly userId: string
  /** BIN of the organization that the signer signed for. */
  readonly businessId: string | undefined
  /** CMS (DER) with its time stamp and certificate status and without content, or the XML signature element (UTF-8). */
  readonly bytes: Uint8Array
}

/** A document for the authority. */
export interface VehicleDocument {
  /** The same for every attempt, so that the authority recognizes a document that it has already. */
  readonly deliveryId: string
  readonly documentId: string
  readonly title: string
  readonly documentTypeCode: string
  readonly original: { readonly size: number; readonly bytes: AsyncIterable<Uint8Array> }
  /** In the order in which they were registered. */
  readonly signatures: readonly VehicleSignature[]
  /** Aborted on timeout. */
  readonly signal: AbortSignal
}

/** The authority's answer: accepted, refused for good, or try again later. */
export interface VehicleAnswer {
  readonly outcome: 'accepted' | 'refused' | 'later'
  /** In the words of the authority; the first 1024 characters are kept. */
  readonly text: string
  /** For example an HTTP status. */
  readonly status?: number | undefined
  /** Milliseconds to wait before the next attempt, as the authority asked. */
  readonly afterMs?: number | undefined
}

/**
 * Sends documents to the vehicle-registration authority; without one `integrationRegisterAuto` is refused. Transport only:
 * retries, order and records are core's. It must send `deliveryId` with each attempt and bound what it reads. It rejects when
 * there is no answer, with a reason for the log only.
 */
export interface VehicleRegistration {
  readonly catalogue: VehicleCatalogue
  forward(document: VehicleDocument): Promise<VehicleAnswer>
}
export const VehicleRegistration = port<VehicleRegistration | undefined>('VehicleRegistration', 'defaulted')
