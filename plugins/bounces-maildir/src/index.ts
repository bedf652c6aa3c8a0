export { BouncesMaildirOptions, bouncesMaildir, MaildirReports } from './bounces-maildir.js'
