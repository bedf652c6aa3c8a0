import { SmtpMailer } from '@signed-registry/mailer-smtp'
import type { Mail } from '../config/config.js'
import type { Finding } from './finding.js'

/** Connects to the mail server and logs in, as the host does before each mail. */
export async function lookAtMail(mail: Mail): Promise<Finding> {
  if (mail.kind === 'files')
    return { state: 'warn', text: `written to ${mail.folder} and not sent: SMTP_URL is not set` }
  const { host } = new URL(mail.url)
  const mailer = new SmtpMailer({ url: mail.url, from: mail.from })
  try {
    await mailer.check()
    return { state: 'ok', text: `${host} accepts mail from us` }
  } catch (error) {
    return { state: 'fail', text: `${host}: ${error instanceof Error ? error.message : error}` }
  } finally {
    mailer.close()
  }
}
