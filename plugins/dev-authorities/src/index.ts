export { type CredentialStore, memoryCredentials } from './credential-store.js'
export { DevAuthorities, type DevAuthoritiesOptions } from './dev-authorities.js'
export { DevelopmentAuthorities } from './development-authorities.js'
export { type LocalCertificate, localCertificate } from './local-certificate.js'
export { PEOPLE, type PersonName } from './named-people.js'
export { pem } from './pem.js'
export type { CertificateOptions, EmployeeOptions, PersonOptions, SystemOptions, Use } from './people.js'
export { type AppAnnouncement, addressIn, DevPhone, type PhoneChoices, PhoneError } from './phone/dev-phone.js'
export { DevAuthoritiesPluginOptions, devAuthorities } from './plugin.js'
export {
  DevelopmentPeople,
  DevelopmentSignature,
  ListDevelopmentPeople,
  SignAsDevelopmentPerson,
} from './sign-as-development-person.js'
export type { CmsOptions, Subject } from './subject.js'
export type { SignedXml, XmlOptions } from './xml/sign-xml.js'
