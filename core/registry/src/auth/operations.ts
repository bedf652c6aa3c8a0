export { Authenticate, type AuthenticationNonce, type AuthenticationRequest, type Visit } from './authenticate.js'
export { GetAuthentication } from './get-authentication.js'
export { type AuthenticationLog, GetAuthenticationLog } from './get-authentication-log.js'
export type { AuthenticationResult } from './schema.js'
