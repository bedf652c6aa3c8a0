export { CheckSignature } from './check-signature.js'
