import type { DocumentSettings } from '@signed-registry/client'
import type { ListedRecipient } from './recipients-file.js'
import type { Begun } from './unfinished-registration.js'

/** What is sent: documents, packages, and files that become documents first. */
export interface SentObject {
  readonly kind: 'document' | 'package'
  /** Empty until a file is registered. */
  readonly id: string
  readonly title: string
  readonly file?: SentFile
}

/** A file that is registered before it is sent. */
export interface SentFile {
  readonly name: string
  /** SHA-256 in base64; empty until it is known. */
  readonly digest: string
  /** Its registration, from the signature on until it is finished. */
  readonly begun?: Begun
}

/** What became of one object and one recipient. */
export interface SentState {
  readonly state: 'sent' | 'already' | 'refused'
  readonly outgoingId?: string
  readonly why?: string
}

/** Sending to a list: kept in the browser until it is dismissed, so that a closed tab sends nothing twice and forgets nothing. */
export interface Mailing {
  /** The beginning of its idempotency keys. */
  readonly key: string
  readonly objects: readonly SentObject[]
  readonly recipients: readonly ListedRecipient[]
  readonly toSign: boolean
  /** Settings of documents that files become. */
  readonly settings?: DocumentSettings
  /** By recipient, one after the other, the states of all objects. */
  readonly states: Readonly<Record<string, SentState>>
}

export const placeOf = (recipient: number, object: number): string => `${recipient}-${object}`

/** The places of the objects that go to a recipient: one file by its name, or all objects. */
export const objectsFor = (objects: readonly SentObject[], { file }: ListedRecipient): number[] =>
  [...objects.keys()].filter((at) => objects[at]?.file === undefined || objects[at]?.file.name === file)

/** How many sendings it is. */
export const sendingsOf = ({ objects, recipients }: Mailing): number =>
  recipients.reduce((sum, recipient) => sum + objectsFor(objects, recipient).length, 0)

/** Whether anything came of it, so that it cannot be changed any more. */
export const isBegun = ({ states, objects }: Mailing): boolean =>
  Object.keys(states).length > 0 ||
  objects.some(({ id, file }) => file !== undefined && (id !== '' || file.begun !== undefined))

/** Where a browser keeps the mailing of these objects, or of the files of this person. */
export class KeptMailing {
  private readonly name: string

  constructor(
    private readonly objects: readonly SentObject[],
    owner: string,
  ) {
    this.name = objects.length > 0 ? 'mailing' : `mailing of files of ${owner}`
  }

  /** The one that is under way. */
  find(): Mailing | undefined {
    try {
      const kept: Mailing | null = JSON.parse(localStorage.getItem(this.name) ?? 'null')
      const ids = (all: readonly SentObject[]) => all.map(({ id }) => id).join()
      const isSame = this.objects.length === 0 || ids(kept?.objects ?? []) === ids(this.objects)
      return kept !== null && isSame ? kept : undefined
    } catch {
      return undefined
    }
  }

  keep(mailing: Mailing): Mailing {
    try {
      localStorage.setItem(this.name, JSON.stringify(mailing))
    } catch {
      // Without storage only resuming after a closed tab is lost.
    }
    return mailing
  }

  dismiss(): void {
    try {
      localStorage.removeItem(this.name)
    } catch {
      // As above.
    }
  }
}
