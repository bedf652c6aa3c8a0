import { port } from '../kernel/port.js'

/** A text in the languages of the strings registry. */
interface Translation {
  readonly ru: string
  readonly kk: string
}

/** What an authority takes; published by `GET /api/strings`. Codes are at most 64 printable ASCII characters. */
export interface VehicleCatalogue {
  /** Names by `documentTypeCode`. */
  readonly documentTypes: Readonly<Record<string, Translation>>
  /** Names by the roles that `signers` may list. */
  readonly signers: Readonly<Record<string, Translation>>
  /** Translations of texts with which the authority refuses; others may come as well. */
  readonly errors: Readonly<Record<string, Translation>>
}

/** A signature and what its signer is in the document. */
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

/** A document on its way to the authority. */
export interface VehicleDocument {
  /** The same for every attempt: by it the authority knows a document that it has already. */
  readonly deliveryId: string
  readonly documentId: string
  readonly title: string
  readonly documentTypeCode: string
  readonly original: { readonly size: number; readonly bytes: AsyncIterable<Uint8Array> }
  /** In the order in which they were registered. */
  readonly signatures: readonly VehicleSignature[]
  /** Aborted when the time for an answer is over. */
  readonly signal: AbortSignal
}

/** What the authority answered: it has the document, will never take it, or is to be asked again later. */
export interface VehicleAnswer {
  readonly outcome: 'accepted' | 'refused' | 'later'
  /** In the words of the authority; the first 1024 characters are kept. */
  readonly text: string
  /** Such as an HTTP status. */
  readonly status?: number | undefined
  /** Milliseconds that it asked to wait for. */
  readonly afterMs?: number | undefined
}

/**
 * Carries documents to the authority that registers vehicles; without one `integrationRegisterAuto` is refused. It carries
 * bytes alone: repeats, order and records are core's. It must send `deliveryId` with each attempt and bound what it reads.
 * It rejects when there is no answer; why is for the log alone.
 */
export interface VehicleRegistration {
  readonly catalogue: VehicleCatalogue
  forward(document: VehicleDocument): Promise<VehicleAnswer>
}
export const VehicleRegistration = port<VehicleRegistration | undefined>('VehicleRegistration', 'defaulted')
