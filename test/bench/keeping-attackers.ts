import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Attacker, fromEach, type Target } from './many-addresses.js'

const MIB = 2 ** 20
const DAY = 86_400_000
/** Documents of a package, and packages of an address that uploads slowly. */
const [DOCUMENTS, PACKAGES] = [10, 4]

/** An answer in JSON, or nothing where it failed. */
type Answer = Readonly<Record<string, unknown>> | undefined

/** One request from an address; `bytes` come as they are. */
function ask(
  { port, from }: Target,
  method: string,
  path: string,
  body?: object | AsyncIterable<Buffer>,
  size?: number,
) {
  const isJson = body !== undefined && !(Symbol.asyncIterator in body)
  const text = isJson ? JSON.stringify(body) : undefined
  const length = text === undefined ? size : Buffer.byteLength(text)
  const headers = {
    ...(body !== undefined && { 'content-type': isJson ? 'application/json' : 'application/octet-stream' }),
    ...(length !== undefined && { 'content-length': length }),
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
    if (body === undefined || text !== undefined) asked.end(text)
    else void pour(body as AsyncIterable<Buffer>, asked)
  })
}

async function pour(bytes: AsyncIterable<Buffer>, to: ReturnType<typeof request>): Promise<void> {
  for await (const piece of bytes) {
    if (to.destroyed) return
    if (!to.write(piece)) await Promise.race([new Promise((resolve) => to.once('drain', resolve)), closed(to)])
  }
  to.end()
}

const closed = (one: ReturnType<typeof request>) => new Promise((resolve) => one.once('close', resolve))

async function* bytes(count: number, pause = 0, piece = MIB): AsyncGenerator<Buffer> {
  for (let left = count; left > 0; left -= piece) {
    if (pause > 0) await wait(pause)
    yield Buffer.alloc(Math.min(left, piece), String(left))
  }
}

/** A package of a stranger whose originals stay for a month; where each goes. */
async function registerPackage(target: Target): Promise<readonly string[]> {
  const documentsSettings = { tempStorageAfterRegistration: 31 * DAY, publicDuringPreregistration: true }
  const documents = Array.from({ length: DOCUMENTS }, (_, at) => ({ title: `${at}` }))
  const answer = await ask(target, 'POST', '/api/package', { documentsSettings, documents })
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
  const brought = ask(target, 'POST', pathOf(begun?.dataURL), bytes(100 * MIB), 100 * MIB)
  const announced = await ask(target, 'GET', pathOf(link))
  const { uri } = Object(announced?.document)
  if (uri !== undefined) await ask(target, 'GET', pathOf(uri))
  await brought
}

/** Those that want the host to keep something for them. */
export const kept: Readonly<Record<string, Attacker>> = {
  'originals that nobody pays for': always(4, async (target) => {
    for (const path of await registerPackage(target)) await ask(target, 'POST', path, bytes(64 * MIB), 64 * MIB)
  }),
  'raw bodies of 100 MiB': always(8, raw),
  'procedures from ten addresses': fromEach(
    10,
    always(4, (target) => ask(target, 'POST', '/api/govQr', { description: 'a' })),
  ),
  'uploads of 20 KiB in a second, from 16 addresses': fromEach(16, async (target) => {
    for (let count = 0; count < PACKAGES; count += 1)
      for (const path of await registerPackage(target))
        void ask(target, 'POST', path, bytes(2 ** 32, 1000, 20 * 1024), 2 ** 32)
  }),
}
