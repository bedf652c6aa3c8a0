export { authArea } from './area.js'
export {
  Authenticate,
  AuthenticationNonce,
  AuthenticationRequest,
  type Visit,
} from './authenticate.js'
export { AuthenticationLimits } from './authentication-store.js'
export { authErrors } from './errors.js'
export { GetAuthentication } from './get-authentication.js'
export { AuthenticationLog, GetAuthenticationLog } from './get-authentication-log.js'
export { LoginCertificates, Logins, type ProvedLogin, type Session } from './logins.js'
export { NonceGuard } from './nonce-store.js'
export { AuthenticationResult } from './schema.js'
export { Sessions } from './sessions.js'
