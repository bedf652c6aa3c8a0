import { port } from '../kernel/port.js'
import { authenticationKeyRules, authenticationRules, type SignerRules } from '../signatures/index.js'

/** By which certificates people log in: those for authentication and those for signing, or those for authentication alone. */
export type LoginCertificates = 'any' | 'authentication'
export const LoginCertificates = port<LoginCertificates>('LoginCertificates', 'defaulted')

/** What the certificate of a login must be meant for. */
export const loginRules: Readonly<Record<LoginCertificates, SignerRules>> = {
  any: authenticationRules,
  authentication: authenticationKeyRules,
}
