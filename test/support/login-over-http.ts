import type { AuthenticationResult } from '@signed-registry/core/auth'

import type { Subject } from '@signed-registry/dev-authorities'
import { type Answer, postJson, request } from './http.js'
import { signNonce } from './login.js'

/** A nonce of the host, in base64. */
export const requestNonce = async (url: string): Promise<string> =>
  (await postJson<{ nonce: string }>(`${url}/api/auth`, {})).json.nonce

/** Requests a nonce, signs it and posts the signature. */
export async function postLogin(
  url: string,
  subject: Subject,
  fields: object = {},
): Promise<Answer<AuthenticationResult>> {
  const nonce = await requestNonce(url)
  return postJson(`${url}/api/auth`, { nonce, signature: signNonce(subject, nonce), ...fields })
}

/** The token in the session cookie of an answer; `undefined` when it sets none. */
export function tokenIn({ headers }: Pick<Answer, 'headers'>): string | undefined {
  return /^jwt=([^;]+);/.exec(headers.get('set-cookie') ?? '')?.[1]
}

/** Logs somebody in; gives the `Cookie` header of their session. */
export async function logInOverHttp(url: string, subject: Subject): Promise<string> {
  const answer = await postLogin(url, subject)
  const token = tokenIn(answer)
  if (token === undefined) throw new Error(`Nobody was logged in: ${answer.text}`)
  return `jwt=${token}`
}

/** A GET with a `Cookie` header. */
export const getAs = <T = Record<string, unknown>>(url: string, cookie: string): Promise<Answer<T>> =>
  request(url, { headers: { cookie } })

/** Posts JSON with a session cookie. */
export const postAs = (url: string, cookie: string, body: object): Promise<Answer> => {
  const headers = { cookie, 'content-type': 'application/json' }
  return request(url, { method: 'POST', headers, body: JSON.stringify(body) })
}
