import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { Authenticate } from './authenticate.js'
import { AuthenticationStore } from './authentication-store.js'
import { GetAuthentication } from './get-authentication.js'
import { GetAuthenticationLog } from './get-authentication-log.js'
import { NonceGuard } from './nonce-guard.js'
import { NonceStore } from './nonce-store.js'
import { RequestNonce } from './request-nonce.js'

export const authModule = new ContainerModule(({ bind }) => {
  provide(bind, NonceStore, NonceStore)
  provide(bind, AuthenticationStore, AuthenticationStore)
  provide(bind, NonceGuard, NonceGuard)
  provide(bind, RequestNonce, RequestNonce)
  provide(bind, Authenticate, Authenticate)
  provide(bind, GetAuthentication, GetAuthentication)
  provide(bind, GetAuthenticationLog, GetAuthenticationLog)
})
