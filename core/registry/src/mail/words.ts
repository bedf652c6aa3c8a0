import type { NewsKind } from './news.js'

/** What one kind of mail says: the subject gets the name of what it is about. */
interface Saying {
  readonly subject: (name: string) => string
  readonly heading: string
  readonly line: string
}

/** Why an original is not attached. */
export const MISSING = ['notKept', 'tooLarge', 'infected', 'notScanned', 'notRead'] as const
export type Missing = (typeof MISSING)[number]

/** Everything that mails say in one language. */
export interface Words {
  readonly sayings: Readonly<Record<NewsKind, Saying>>
  readonly labels: Readonly<Record<Label, string>>
  readonly openDocument: string
  readonly openPackage: string
  readonly openService: string
  readonly untitled: string
  readonly missing: Readonly<Record<Missing, string>>
  /** Before the reasons why originals are missing. */
  readonly notAttached: string
  /** Why somebody gets mail that somebody else asked for, and mail that settings ask for. */
  readonly askedFor: string
  readonly askedByStranger: string
  readonly bySettings: string
  readonly unsubscribe: string
  readonly unlimited: string
}

export type Label =
  | 'document'
  | 'package'
  | 'description'
  | 'identifier'
  | 'signer'
  | 'organization'
  | 'time'
  | 'documents'
  | 'sender'
  | 'receiver'
  | 'owner'
  | 'quota'
  | 'usage'
  | 'address'
  | 'subscription'
  | 'expires'
