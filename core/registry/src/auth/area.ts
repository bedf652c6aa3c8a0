import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { AuthenticationLimits, AuthenticationStore, TrimAuthentications } from './authentication-store.js'
import { authErrors } from './errors.js'
import { LoginCertificates, Logins } from './logins.js'
import * as auth from './migrations/0004-auth.js'
import * as sessions from './migrations/0042-sessions.js'
import * as sessionIds from './migrations/0151-session-ids.js'
import { ForgetNonces, NonceGuard, NonceStore } from './nonce-store.js'
import * as operations from './operations.js'
import { Sessions } from './sessions.js'

export const authArea = area({
  name: 'auth',
  errors: [authErrors],
  migrations: { '0004-auth': auth, '0042-sessions': sessions, '0151-session-ids': sessionIds },
  services: [NonceStore, AuthenticationStore, NonceGuard, Sessions, Logins],
  operations: Object.values(operations),
  provides: [provideLimits(AuthenticationLimits), provideValue(LoginCertificates, 'any')],
  tasks: [ForgetNonces, TrimAuthentications],
})
