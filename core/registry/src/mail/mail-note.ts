import type { MissingOriginal } from './attachments.js'
import type { Missing } from './missing-originals.js'

/** What a delivery of a mail notes for the record beside its state. */
export interface MailNote {
  /** The mail server's last reply. */
  readonly code?: number
  /** Not given to the mail server: the recipient wants no such mail, or gets too many. The record does not say which. */
  readonly isWithheld?: boolean
  /** The mailbox does not exist. */
  readonly isNoMailbox?: boolean
  /** Originals that were asked for and did not go along. */
  readonly missing?: readonly { readonly documentId: string; readonly reason: Missing }[]
}

/** The note of a mail that went to the mail server; `undefined` where there is nothing beside its state. */
export function noteOf(code: number, missing: readonly MissingOriginal[], isNoMailbox = false): MailNote | undefined {
  const isTaken = code >= 200 && code < 300
  if (isTaken && missing.length === 0) return undefined
  return {
    ...(!isTaken && { code }),
    ...(isNoMailbox && { isNoMailbox }),
    ...(missing.length > 0 && { missing: missing.map(({ documentId, reason }) => ({ documentId, reason })) }),
  }
}
