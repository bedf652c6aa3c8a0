import type { MailMessage } from '@signed-registry/core'
import type { SendMailOptions } from 'nodemailer'

/** Who sends: `Name <address>` or an address, and where reports of mails that did not arrive go. */
export interface Sender {
  readonly from: string
  /** The sender's address unless given. */
  readonly returnPath?: string | undefined
}

/** A message for nodemailer, which encodes headers; it must not read content from files or URLs. */
export const composeMessage = ({ to, subject, text, html, ...message }: MailMessage, { from, returnPath }: Sender) =>
  ({
    // An address object is not parsed, so it cannot smuggle in names, groups or further addresses.
    ...{ from, to: { name: '', address: to }, subject, text, html },
    ...{ messageId: message.messageId, headers: { ...message.headers } },
    envelope: { from: returnPath ?? from, to: [{ name: '', address: to }] },
    attachments: message.attachments.map(({ name, bytes }) => ({
      filename: name,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  }) satisfies SendMailOptions
