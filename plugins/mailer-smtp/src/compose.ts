import type { MailMessage } from '@signed-registry/core'
import type { SendMailOptions } from 'nodemailer'

/** Who sends: `Name <address>` or an address, and where reports of mails that did not arrive go. */
export interface Sender {
  readonly from: string
  /** The sender's address unless given. */
  readonly returnPath?: string | undefined
}

/** A message as nodemailer takes it; it encodes whatever stands in headers. Nothing is read from files or addresses. */
export const composed = ({ to, subject, text, html, ...message }: MailMessage, { from, returnPath }: Sender) =>
  ({
    // An address as an object is taken as it is: nobody looks for names, groups or further addresses in it.
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
