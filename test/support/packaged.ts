import { createClient } from '@signed-registry/client'
import type { TestHost } from './host.js'
import { logInOverHttp } from './login-over-http.js'

let made = 0

/** Registers a package of two documents; `sign` is which of them one person signs, `complete` which have their hashes. */
export async function packaged(
  host: TestHost,
  sign: readonly number[],
  settings: object = {},
  complete: readonly number[] = [0, 1],
) {
  const cookie = await logInOverHttp(host.url, host.authorities.named('person-2-auth'))
  const send: typeof fetch = (url, init = {}) =>
    fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), cookie } })
  const client = createClient({ baseUrl: host.url, fetch: send })
  const documents = ['one.txt', 'two.txt'].map((title) => ({ title, description: '' }))
  const request = { title: 'Two papers', description: '', documents, documentsSettings: settings }
  const { packageId, documentsIds } = await client.registerPackage({ request })
  for (const [index, id] of documentsIds.entries()) {
    if (!complete.includes(index)) continue
    const original = Buffer.from(`A paper, number ${++made}\n`)
    await client.fixDigests({ id, upload: new Uint8Array(original) })
    if (!sign.includes(index)) continue
    const signature = host.authorities.named('person-2').signCms(original, { timeStamp: true, ocsp: true })
    await client.addSignature({ id, request: { signature: signature.toString('base64') } })
  }
  return { packageId, documentsIds, client, cookie }
}
