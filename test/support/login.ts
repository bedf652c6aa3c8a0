import { anonymous, type Caller, type Registry, type Session } from '@signed-registry/core'
import { Authenticate, type AuthenticationResult } from '@signed-registry/core/auth'
import type { CmsOptions, Subject } from '@signed-registry/dev-authorities'

/** Address that tests log in from. */
export const IP = '192.0.2.7'

/** Who authenticated; `session` is absent in external mode. */
export interface Authenticated {
  readonly result: AuthenticationResult
  readonly session?: Session
}

/** A nonce of this registry, in base64. */
export async function newNonce(registry: Registry, caller: Caller = anonymous): Promise<string> {
  const answer = await registry.get(Authenticate).execute(caller, { request: {} })
  if ('nonce' in answer) return answer.nonce
  throw new Error('This is no nonce')
}

/** A CMS over a nonce, DER in base64. */
export const signNonce = (subject: Subject, nonce: string, options: CmsOptions = {}): string =>
  subject.signCms(Buffer.from(nonce, 'base64'), options).toString('base64')

/** An XML document signed as a whole, with the nonce as its only text. */
export const signNonceXml = (subject: Subject, nonce: string): string =>
  subject.signXml(`<login><nonce>${nonce}</nonce></login>`).document

/** Posts a signature over a nonce. */
export async function authenticate(
  registry: Registry,
  request: { nonce: string; signature: string; external?: boolean },
  caller: Caller = anonymous,
): Promise<Authenticated> {
  let begun: Session | undefined
  const visit = {
    ip: IP,
    isMutualTls: false,
    begin: async (session: Session) => {
      begun = session
    },
    end: () => undefined,
  }
  const result = await registry.get(Authenticate).execute(caller, { request }, visit)
  if (!('userId' in result)) throw new Error('Nobody authenticated')
  return { result, ...(begun && { session: begun }) }
}

/** Requests a nonce, signs it and authenticates. */
export async function logIn(registry: Registry, subject: Subject, options: CmsOptions = {}): Promise<Authenticated> {
  const nonce = await newNonce(registry)
  return authenticate(registry, { nonce, signature: signNonce(subject, nonce, options) })
}
