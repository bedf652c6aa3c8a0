import { definePlugin, Mailer, provide } from '@signed-registry/core'
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
      ],
    }
  },
})

/** A password goes nowhere without TLS. */
function assertProtected(url: string): void {
  const { username, searchParams } = new URL(url)
  if (username !== '' && searchParams.get('tls') === 'off')
    throw new TypeError('mailer-smtp: /url has a user and tls=off: a password is never sent without TLS')
}
