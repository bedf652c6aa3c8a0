import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MailAnswer, Mailer, MailMessage } from '@signed-registry/core'
import { composeMessage } from '@signed-registry/mailer-smtp'
import { createTransport } from 'nodemailer'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const WRITTEN: MailAnswer = { code: 250, text: 'Written to a file' }

/** Writes each mail into a file, named for its Message-ID: a repeat takes the place of the first. */
export class FolderMailer implements Mailer {
  private readonly transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

  constructor(
    private readonly folder: string,
    private readonly from: string,
  ) {}

  async send(mail: MailMessage): Promise<MailAnswer> {
    const { message } = await this.transport.sendMail(composeMessage(mail, { from: this.from }))
    if (!(message instanceof Uint8Array)) throw new TypeError('The transport composes mails in memory')
    const name = mail.messageId.replace(/@.*$/, '').replace(/[^A-Za-z0-9._-]/g, '')
    await mkdir(this.folder, { recursive: true, mode: FOLDER_MODE })
    const path = join(this.folder, `${name}.eml`)
    await writeFile(`${path}.part`, message, { mode: FILE_MODE })
    await rename(`${path}.part`, path)
    return WRITTEN
  }
}
