import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { databaseFacts, type Finding, type LogReport, openSchema } from '@signed-registry/core'
import type { Config } from '../config/config.js'
import { loadConfig } from '../config/load-config.js'
import { pluginsOf } from '../stock-plugins.js'
import { openConfigured } from './admin/open-configured.js'
import { checkPlugins } from './check-plugins.js'
import { checkRenewal } from './check-renewal.js'
import { type Console, UsageError } from './console.js'
import { hasCurrentSchema, missingDatabase } from './database.js'

type Check = (config: Config) => Promise<Finding | readonly Finding[]>

const NOTHING: Finding = { state: 'ok', text: 'there is nothing to ask' }
const MIN_FREE_BYTES = 2 ** 30

const CHECKS: Readonly<Record<string, Check>> = {
  node: async () => ({ state: 'ok', text: process.version }),
  disk: checkDisk,
  database: checkDatabase,
  replica: checkReplica,
  log: checkLog,
  renewal: checkRenewal,
  ports: checkPorts,
}

/** Checks everything that a registry depends on, with real requests; answers 1 when something does not work. */
export async function doctor(args: readonly string[], { env, out }: Console): Promise<number> {
  if (args.length > 0) throw new UsageError('doctor takes no arguments')
  const config = await loadConfig(env)
  out(`ok    configuration: every variable is valid${fileOf(config)}\n`)
  let worst = 0
  const tell = (name: string, findings: readonly Finding[]) => {
    for (const { state, text } of findings) {
      out(`${state.padEnd(4)}  ${name}: ${text}\n`)
      if (state === 'fail') worst = 1
    }
  }
  for (const [name, check] of Object.entries(CHECKS)) {
    const found = await check(config).catch((error: unknown): Finding => {
      return { state: 'fail', text: error instanceof Error ? error.message : String(error) }
    })
    tell(name, [found].flat())
  }
  for (const { name, findings } of await checkPlugins(config)) tell(name, findings.length > 0 ? findings : [NOTHING])
  return worst
}

/** Which file was read, and what it adds. */
function fileOf({ plugins: { file, added } }: Config): string {
  if (file === undefined) return ''
  return `, by ${file} as well${added.length === 0 ? '' : `, with ${added.map(({ name }) => name).join(', ')}`}`
}

async function checkDisk({ dataDir }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(existsSync(dataDir) ? dataDir : '.')
  const free = bavail * bsize
  return { state: free < MIN_FREE_BYTES ? 'warn' : 'ok', text: `${Math.floor(free / 2 ** 20)} MiB free at ${dataDir}` }
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const { databaseUrl } = config
  const missing = missingDatabase(config)
  if (missing !== undefined)
    return [{ state: 'warn', text: `there is none at ${missing} yet; the first start will create it` }]
  const { product, version, charset, unsafe } = await databaseFacts(databaseUrl)
  const schema = openSchema(databaseUrl, pluginsOf(config))
  try {
    const { applied, pending, newer } = await schema.status()
    const name = `${product} ${version}${charset === undefined ? '' : `, ${charset}`}`
    const isUtf8mb4 = charset === undefined || charset.startsWith('utf8mb4')
    return [
      { state: isUtf8mb4 ? 'ok' : 'warn', text: isUtf8mb4 ? name : `${name}: utf8mb4 is required` },
      ...unsafe.map((text): Finding => ({ state: 'warn', text })),
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

async function checkReplica({ replicaUrl }: Config): Promise<Finding[]> {
  if (replicaUrl === undefined) return []
  const { product, version } = await databaseFacts(replicaUrl)
  return [{ state: 'ok', text: `${product} ${version} answers; the host says in its log when it has to do without` }]
}

/** Reads how the log is getting on, unless its tables are not there yet. */
async function checkLog(config: Config): Promise<Finding | Finding[]> {
  if (config.log === undefined)
    return { state: 'warn', text: 'off: nothing shows whether the operator changes anything' }
  const { keyFile } = config.log
  const key: Finding = existsSync(keyFile)
    ? { state: 'ok', text: `its key is ${keyFile}` }
    : { state: 'warn', text: `there is no key at ${keyFile} yet; the first start will make it` }
  if (!(await hasCurrentSchema(config))) return key
  const administration = await openConfigured(config)
  const report = await administration.log.report().finally(() => administration.close())
  return [key, stateOf(report)]
}

function stateOf({ log, halted, pending }: LogReport): Finding {
  if (log === undefined) return { state: 'ok', text: 'the next start will begin it' }
  if (halted !== undefined && halted.reason !== 'noKey')
    return { state: 'fail', text: `${log.origin} is not signed (${halted.reason}): ${halted.advice}` }
  return { state: 'ok', text: `${log.origin} has ${log.size} entries, ${pending} wait` }
}

async function checkPorts({ listen, mutualTls }: Config): Promise<Finding[]> {
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
