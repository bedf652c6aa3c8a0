import {
  Authenticate,
  type Authenticated,
  anonymous,
  type Caller,
  type Registry,
  RequestNonce,
} from '@signed-registry/core'
import type { CmsOptions, Subject } from '@signed-registry/dev-authorities'

/** Address that tests log in from. */
export const IP = '192.0.2.7'

/** A nonce of this registry, in base64. */
export const newNonce = async (registry: Registry): Promise<string> =>
  (await registry.get(RequestNonce).execute(anonymous)).nonce

/** A CMS over a nonce, DER in base64. */
export const signNonce = (subject: Subject, nonce: string, options: CmsOptions = {}): string =>
  subject.signCms(Buffer.from(nonce, 'base64'), options).toString('base64')

/** An XML document signed as a whole, with the nonce as its only text. */
export const signNonceXml = (subject: Subject, nonce: string): string =>
  subject.signXml(`<login><nonce>${nonce}</nonce></login>`).document

/** Posts a signature over a nonce. */
export const authenticate = (
  registry: Registry,
  request: { nonce: string; signature: string; external?: boolean },
  caller: Caller = anonymous,
): Promise<Authenticated> => registry.get(Authenticate).execute(caller, request, { ip: IP })

/** Requests a nonce, signs it and authenticates. */
export async function logIn(registry: Registry, subject: Subject, options: CmsOptions = {}): Promise<Authenticated> {
  const nonce = await newNonce(registry)
  return authenticate(registry, { nonce, signature: signNonce(subject, nonce, options) })
}
