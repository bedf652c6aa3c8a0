export { mailerSmtp } from './mailer-smtp.js'
export { MailerSmtpOptions } from './options.js'
export { composeMessage, type Sender, SmtpMailer } from './smtp-mailer.js'
