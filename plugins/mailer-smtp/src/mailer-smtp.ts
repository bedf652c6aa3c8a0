import { Check, definePlugin, Mailer, provide, provideValue } from '@signed-registry/core'
import { MailerSmtpOptions } from './options.js'
import { SmtpMailer } from './smtp-mailer.js'

/** Plugin: mail by SMTP, over connections that stay open. */
export const mailerSmtp = definePlugin({
  name: 'mailer-smtp',
  options: MailerSmtpOptions,
  parts: (options) => {
    assertProtected(options.url)
    return {
      provides: [
        provide(Mailer, {
          make: () => new SmtpMailer(options),
          close: (mailer) => mailer.close(),
        }),
        provideValue(Check, checkServer(options)),
      ],
    }
  },
})

/** Connects and logs in as before each mail. All hosts share the server, and mails wait for it. */
const checkServer = (options: MailerSmtpOptions): Check => ({
  name: 'mail',
  isRequired: false,
  async check(signal) {
    const { host } = new URL(options.url)
    const mailer = new SmtpMailer(options)
    signal.addEventListener('abort', () => mailer.close(), { once: true })
    try {
      await mailer.check()
      return { state: 'ok', text: `${host} accepts mail from us` }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return {
        state: 'fail',
        text: `${host}: ${why}; see whether its address, user and password are right. Mails wait`,
      }
    } finally {
      mailer.close()
    }
  },
})

/** A password goes nowhere without TLS. */
function assertProtected(url: string): void {
  const { username, searchParams } = new URL(url)
  if (username !== '' && searchParams.get('tls') === 'off')
    throw new TypeError('mailer-smtp: /url has a user and tls=off: a password is never sent without TLS')
}
