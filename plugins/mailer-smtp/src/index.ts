export { composeMessage, type Sender } from './compose.js'
export { mailerSmtp } from './mailer-smtp.js'
export { MailerSmtpOptions } from './options.js'
export { SmtpMailer } from './smtp-mailer.js'
