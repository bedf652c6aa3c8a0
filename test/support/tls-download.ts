import { once } from 'node:events'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'

/** A GET over TLS that trusts one certificate alone; gives the body as bytes. */
export async function downloadOver(url: string, path: string, ca: string, headers: Record<string, string>) {
  const call = https.get(new URL(path, url.replace(/^http:/, 'https:')), { ca, headers, agent: false })
  const [response] = await once(call, 'response')
  const body: Buffer = await buffer(response)
  return { status: Number(response.statusCode), headers: response.headers as Record<string, unknown>, body }
}
