import { request } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { UNTITLED } from '../support/packages.js'
import { type Attacker, fromEach, type Target } from './many-addresses.js'

const MIB = 2 ** 20
const DAY = 86_400_000
/** Documents of a package, and packages of an address that uploads slowly. */
const [DOCUMENTS, PACKAGES] = [10, 4]

/** An answer in JSON, or nothing where it failed. */
type Answer = Readonly<Record<string, unknown>> | undefined

/** An original, or whatever bytes. */
interface Sent {
  readonly bytes: AsyncIterable<Buffer>
  readonly size: number
}

/** One request from an address, with JSON or with bytes. */
function ask({ port, from }: Target, method: string, path: string, json?: object, sent?: Sent): Promise<Answer> {
  const text = json && JSON.stringify(json)
  const headers = {
    ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...(sent !== undefined && { 'content-type': 'application/octet-stream', 'content-length': sent.size }),
  }
  return new Promise<Answer>((resolve) => {
    const asked = request({ port, host: '127.0.0.1', localAddress: from, method, path, headers, agent: false })
    asked.on('error', () => resolve(undefined))
    asked.on('response', async (answer) => {
      const chunks = await answer.toArray().catch(() => [])
      asked.destroy()
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString()))
      } catch {
        resolve(undefined)
      }
    })
    if (sent === undefined) asked.end(text)
    else Readable.from(sent.bytes).pipe(asked)
  })
}

/** So many bytes, as fast as they are taken, or with pauses between pieces. */
function bytes(size: number, pause = 0, piece = MIB): Sent {
  async function* pieces() {
    for (let left = size; left > 0; left -= piece) {
      if (pause > 0) await wait(pause)
      yield Buffer.alloc(Math.min(left, piece), String(left))
    }
  }
  return { bytes: pieces(), size }
}

/** A package of a stranger whose originals stay for a month; where each goes. */
async function registerPackage(target: Target): Promise<readonly string[]> {
  const documentsSettings = { tempStorageAfterRegistration: 31 * DAY, publicDuringPreregistration: true }
  const documents = Array.from({ length: DOCUMENTS }, (_, at) => ({ ...UNTITLED, title: `${at}` }))
  const answer = await ask(target, 'POST', '/api/package', { ...UNTITLED, documentsSettings, documents })
  const ids = Array.isArray(answer?.documentsIds) ? answer.documentsIds : []
  return ids.map((id) => `/api/${id}/data?dataSecret=${answer?.dataSecret}`)
}

/** So many of the same at a time, each again as soon as it is over. */
const always = (count: number, work: (target: Target) => Promise<unknown>): Attacker => {
  const again = async (target: Target) => {
    for (;;) {
      await work(target)
      await wait(50)
    }
  }
  return (target) => {
    for (let at = 0; at < count; at += 1) void again(target)
  }
}

const pathOf = (address: unknown): string => {
  const { pathname, search } = new URL(String(address))
  return pathname + search
}

/** Brings 100 MiB to a raw procedure, whose app has come. */
async function raw(target: Target): Promise<void> {
  const begun = await ask(target, 'POST', '/api/govQr', { description: 'a', authType: 'None' })
  const link = new URL(String(begun?.govMobileLaunchLink ?? 'http://none')).searchParams.get('link')
  if (link === null) return
  const brought = ask(target, 'POST', pathOf(begun?.dataURL), undefined, bytes(100 * MIB))
  const announced = await ask(target, 'GET', pathOf(link))
  const { uri } = Object(announced?.document)
  if (uri !== undefined) await ask(target, 'GET', pathOf(uri))
  await brought
}

/** Those that want the host to keep something for them. */
export const kept: Readonly<Record<string, Attacker>> = {
  'originals that nobody pays for': always(4, async (target) => {
    for (const path of await registerPackage(target)) await ask(target, 'POST', path, undefined, bytes(64 * MIB))
  }),
  'raw bodies of 100 MiB': always(8, raw),
  'procedures from ten addresses': fromEach(
    10,
    always(4, (target) => ask(target, 'POST', '/api/govQr', { description: 'a' })),
  ),
  'uploads of 20 KiB in a second, from 16 addresses': fromEach(16, async (target) => {
    for (let count = 0; count < PACKAGES; count += 1)
      for (const path of await registerPackage(target))
        void ask(target, 'POST', path, undefined, bytes(2 ** 32, 1000, 20 * 1024))
  }),
}
