export { FolderMailer } from './folder-mailer.js'
export { MailerFilesOptions, mailerFiles } from './mailer-files.js'
