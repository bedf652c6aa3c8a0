import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { databaseFacts, openSchema } from '@signed-registry/core'
import { SmtpMailer } from '@signed-registry/mailer-smtp'
import { askOcsp, askTsp, type Finding, lookAtTrust } from '@signed-registry/online-authorities'
import { type Config, type Mail, readConfig } from '../config/config.js'
import { stockPlugins } from '../stock-plugins.js'
import { type Console, UsageError } from './console.js'
import { missingDatabase } from './database.js'

type Look = (config: Config) => Promise<Finding | readonly Finding[]>

const MIN_ROOM = 2 ** 30

const LOOKS: Readonly<Record<string, Look>> = {
  node: async () => ({ state: 'ok', text: process.version }),
  disk: lookAtDisk,
  database: lookAtDatabase,
  trust: ofAuthorities(lookAtTrust),
  'time stamps': ofAuthorities(askTsp),
  status: ofAuthorities(askOcsp),
  mail: ({ mail }) => lookAtMail(mail),
  ports: lookAtPorts,
}

/** Checks everything that a registry depends on, with real requests; answers 1 when something does not work. */
export async function doctor(args: readonly string[], { env, out }: Console): Promise<number> {
  if (args.length > 0) throw new UsageError('doctor takes no arguments')
  const config = readConfig(env)
  out('ok    configuration: every variable is valid\n')
  let worst = 0
  for (const [name, look] of Object.entries(LOOKS)) {
    const found = await look(config).catch((error: unknown): Finding => {
      return { state: 'fail', text: error instanceof Error ? error.message : String(error) }
    })
    for (const { state, text } of [found].flat()) {
      out(`${state.padEnd(4)}  ${name}: ${text}\n`)
      if (state === 'fail') worst = 1
    }
  }
  return worst
}

async function lookAtDisk({ dataDir }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(existsSync(dataDir) ? dataDir : '.')
  const free = bavail * bsize
  return { state: free < MIN_ROOM ? 'warn' : 'ok', text: `${Math.floor(free / 2 ** 20)} MiB free at ${dataDir}` }
}

async function lookAtDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl } = config
  const missing = missingDatabase(config)
  if (missing !== undefined)
    return [{ state: 'warn', text: `there is none at ${missing} yet; the first start will create it` }]
  const { product, version, charset } = await databaseFacts(databaseUrl)
  const schema = openSchema(databaseUrl, stockPlugins(config))
  try {
    const { applied, pending, newer } = await schema.status()
    const name = `${product} ${version}${charset === undefined ? '' : `, ${charset}`}`
    const isWide = charset === undefined || charset.startsWith('utf8mb4')
    return [
      { state: isWide ? 'ok' : 'warn', text: isWide ? name : `${name}: utf8mb4 is required` },
      newer.length > 0
        ? { state: 'fail', text: `its schema is newer than this program: ${newer.join(', ')}` }
        : {
            state: 'ok',
            text: `${applied.length} migrations applied, ${pending.length} to be applied by the next start`,
          },
    ]
  } finally {
    await schema.close()
  }
}

async function lookAtPorts({ listen, mutualTls }: Config): Promise<Finding[]> {
  const ports = [['PORT', listen.port] as const, ...(mutualTls ? [['MTLS_PORT', mutualTls.port] as const] : [])]
  return Promise.all(
    ports.map(async ([name, port]): Promise<Finding> => {
      const problem = await new Promise<string | undefined>((resolve) => {
        const server = createServer()
        server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
        server.listen(port, listen.host, () => server.close(() => resolve(undefined)))
      })
      const where = `${name} ${port} at ${listen.host}`
      if (problem === undefined) return { state: 'ok', text: `${where} is free` }
      if (problem === 'EADDRINUSE') return { state: 'warn', text: `${where} is in use, perhaps by a running registry` }
      return { state: 'fail', text: `${where} cannot be listened on: ${problem}` }
    }),
  )
}

function ofAuthorities(look: (online: Parameters<typeof askTsp>[0]) => Promise<Finding | readonly Finding[]>): Look {
  return async ({ authorities }) =>
    authorities.kind === 'online'
      ? look(authorities)
      : { state: 'warn', text: 'development authorities: nothing registered here proves anything' }
}

/** Connects and logs in to the mail server, as the host does before each mail. */
async function lookAtMail(mail: Mail): Promise<Finding> {
  if (mail.kind === 'files')
    return { state: 'warn', text: `written to ${mail.folder} and not sent: SMTP_URL is not set` }
  const { host } = new URL(mail.url)
  const mailer = new SmtpMailer({ url: mail.url, from: mail.from })
  try {
    await mailer.check()
    return { state: 'ok', text: `${host} accepts mail from us` }
  } catch (error) {
    return { state: 'fail', text: `${host}: ${error instanceof Error ? error.message : error}` }
  } finally {
    mailer.close()
  }
}
