export { type DocumentNotifications, ListDocumentMails } from './list-document-mails.js'
export { ListPackageMails, type PackageNotificationsRecord } from './list-package-mails.js'
export {
  AcceptMail,
  type AcceptMailRequest,
  GetMailAddresses,
  type MailAddress,
  type MailAddresses,
} from './mail-addresses.js'
export { type NotifiedDocument, NotifyDocument, type NotifyDocumentRequest } from './notify-document.js'
export { type NotifiedPackage, NotifyPackage, type NotifyPackageRequest } from './notify-package.js'
