export { isEmailAddress } from './email-address.js'
export { notificationErrors } from './errors.js'
