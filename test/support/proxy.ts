import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import type { SystemClient } from './systems.js'
import { until } from './until.js'

/** A file of `deploy` as it is, with these words replaced, each of which it must have. */
export const deployed = (name: string, here: readonly (readonly [from: string, to: string])[]): string =>
  here.reduce(
    (config, [from, to]) => {
      expect(config).to.include(from)
      return config.replaceAll(from, to)
    },
    readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8'),
  )

/** Starts a proxy in the foreground, and waits until this client of it reaches a host. */
export async function startProxy(
  program: string,
  args: readonly string[],
  client: SystemClient,
): Promise<ChildProcess> {
  const proxy = spawn(program, args, { stdio: 'inherit' })
  await until(() =>
    client.ask('GET', '/version').then(
      ({ status }) => status === 200,
      (error) => {
        if (proxy.exitCode !== null) throw error
        return false
      },
    ),
  )
  return proxy
}

/** Ends a proxy, and waits for it. */
export async function endProxy(proxy: ChildProcess | undefined): Promise<void> {
  if (proxy === undefined || proxy.exitCode !== null) return
  const ended = once(proxy, 'exit')
  proxy.kill('SIGTERM')
  await ended
}

/** Begins an upload of so many octets over TLS, and answers what comes back before they are sent. */
export async function beginUpload(
  port: number,
  path: string,
  length: number,
): Promise<{ status: number | undefined; body: string }> {
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(length) }
  const request = https.request({ host: '127.0.0.1', port, path, method: 'POST', headers, rejectUnauthorized: false })
  request.on('error', () => undefined)
  request.write('x')
  const [answer] = await once(request, 'response')
  const body = await text(answer)
  request.destroy()
  return { status: answer.statusCode, body }
}

/** The first that comes of a stream of events. */
export async function firstEvent(port: number, path: string): Promise<string> {
  const headers = { accept: 'text/event-stream' }
  const request = https.get({ host: '127.0.0.1', port, path, headers, rejectUnauthorized: false })
  const [answer] = await once(request, 'response')
  const [first] = await once(answer, 'data')
  request.destroy()
  return String(first)
}

/** The status of an answer that may be the proxy's own, which is no JSON, on a connection of its own. */
export async function statusAt(port: number, path: string, options: https.RequestOptions = {}): Promise<number> {
  const at = { host: '127.0.0.1', port, path, agent: false, rejectUnauthorized: false, ...options }
  const [answer] = await once(https.get(at), 'response')
  answer.resume()
  await once(answer, 'end')
  return answer.statusCode
}

/** Logs in with a claimed address, and answers the address that the registry took down. */
export async function addressTaken(
  client: SystemClient,
  sign: (nonce: Buffer) => Buffer,
  claimed: string,
): Promise<string | undefined> {
  const headers = { 'x-forwarded-for': claimed }
  const { json } = await client.ask('POST', '/auth', {}, headers)
  const signature = sign(Buffer.from(String(json.nonce), 'base64')).toString('base64')
  const done = await client.ask('POST', '/auth', { nonce: json.nonce, signature }, headers)
  const [cookie = ''] = String(done.headers['set-cookie']).split(';')
  const log = await client.ask<{ events: { ip: string }[] }>('GET', '/authLog', undefined, { cookie })
  return log.json.events[0]?.ip
}
