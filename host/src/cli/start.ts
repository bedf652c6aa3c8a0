import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import type { Config } from '../config/config.js'
import type { Variables } from '../config/environment.js'
import { withEnvironmentFile } from '../config/environment-file.js'
import { loadConfig } from '../config/load-config.js'
import { lineLogger, logConsole } from '../monitoring/logging.js'
import { forRestart, LIVE, refusalWords, restartWords, wrongIn } from '../reload-host.js'
import { startHost } from '../start-host.js'
import { type Place, RELOAD } from '../workers/messages.js'
import { STOPPING, supervise } from '../workers/supervise.js'
import { joinWorkers } from '../workers/this-worker.js'
import { type Console, failure, UsageError } from './console.js'
import { HANGUP, Hangups, reload } from './reload.js'

const CLOSING_TIMEOUT = 30_000

const WARNING = `
*************************************************************************
  DEVELOPMENT AUTHORITIES ARE ON: anybody can sign as anybody here.
  Nothing registered in this database proves anything.
  Set TRUST_ANCHORS to use real authorities (docs/configuration.md).
*************************************************************************
`

/** Runs the registry until it receives a signal to stop, in one process or in several behind one port. */
export async function start(args: readonly string[], console: Console): Promise<number> {
  if (args.length > 0) throw new UsageError('start takes no arguments: it is configured by environment variables')
  const hangups = new Hangups()
  try {
    return await run(console, hangups)
  } finally {
    hangups.end()
  }
}

async function run(console: Console, hangups: Hangups): Promise<number> {
  const worker = joinWorkers(console.env)
  const config = await loadConfig(console.env)
  if (worker === undefined && config.workers > 1) return supervised(config, console, hangups)
  boundHeapGrowth()
  const host = await startHost({ config, siblings: worker?.siblings }).catch((error: unknown) => {
    throw failure('The host did not start', error)
  })
  logConsole(host.app.log)
  const readAnew = (changed: object = {}) => void reload(host, { ...console.env, ...changed })
  worker?.siblings.on(RELOAD, (changed) => readAnew(Object(changed)))
  const closed = new Promise<void>((resolve) => {
    // Signals that reach a worker twice, from its terminal or service and from the process that started it, stop it once.
    const skip = worker === undefined ? [HANGUP] : [...STOPPING, HANGUP]
    const { close } = closeWithGrace(
      {
        delay: config.drainMs + CLOSING_TIMEOUT,
        logger: { error: (err: unknown) => host.app.log.fatal({ err }, 'failed while stopping') },
        skip,
      },
      async ({ err }) => {
        if (err) host.app.log.fatal({ err }, 'stopping after a failure')
        else {
          host.app.log.info('stopping')
          await host.drain()
        }
        await host.close()
        resolve()
      },
    )
    if (worker === undefined) return hangups.take(() => readAnew())
    let isStopping = false
    const stop = () => {
      if (!isStopping) close()
      isStopping = true
    }
    for (const signal of STOPPING) process.on(signal, stop)
  })
  // Announced only now that signals are handled: one sent right afterwards still shuts the host down gracefully.
  if (worker === undefined) greet(host, config, console)
  else worker.listens({ url: host.url, systemsUrl: host.systemsUrl, forDevelopment: host.forDevelopment })
  await closed
  return 0
}

/** Runs the workers; this process serves nothing itself. */
function supervised(config: Config, console: Console, hangups: Hangups): Promise<number> {
  const { workers } = config
  let { logLevel } = config
  const log: ReturnType<typeof lineLogger> = (...said) =>
    lineLogger(logLevel, console.out, process.stdout.isTTY)(...said)
  /** Workers read no file of variables: one that is replaced later must not have others than its siblings. */
  const variables = (): Variables => ({ ...withEnvironmentFile(console.env, []), ENVIRONMENT_FILE: '' })
  const reload = async (tell: (changed: Variables) => void) => {
    try {
      const next = await loadConfig(console.env)
      const read = variables()
      logLevel = next.logLevel
      const restart = forRestart(config, next)
      if (restart.length > 0) log('warn', restartWords(restart))
      tell(Object.fromEntries([...LIVE].map((name) => [name, read[name] ?? ''])))
    } catch (error) {
      log('error', refusalWords(wrongIn(error)))
    }
  }
  return supervise({
    ...{ workers, env: variables(), closingMs: config.drainMs + CLOSING_TIMEOUT + 1000 },
    log,
    greet: (place) => greet(place, config, console),
    onHangup: (tell) => hangups.take(() => void reload(tell)),
  })
}

/** Says where the registry is, whatever the level of the log: to people in words, to programs as a line of the log. */
function greet(place: Place, { logLevel }: Config, console: Console): void {
  const { url, systemsUrl, forDevelopment } = place
  if (forDevelopment && logLevel !== 'silent')
    if (process.stderr.isTTY) console.err(WARNING)
    else lineLogger('warn', console.err, false)('warn', WARNING.replaceAll(/[\s*]+/g, ' ').trim())
  if (process.stdout.isTTY) console.out(greeting(place))
  else lineLogger('info', console.out, false)('info', `The registry is at ${url}`, { url, systemsUrl })
}

/**
 * Makes V8 collect garbage when the heap has grown by half since the last collection, instead of fourfold as on machines with
 * much memory: a host under load stays small, and its memory use becomes a meaningful metric.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}

const greeting = ({ url, systemsUrl }: Place): string => `
The registry is at ${url}
${systemsUrl === undefined ? '' : `  For systems     ${systemsUrl} (mutual TLS)\n`}  API reference   ${url}/docs
  Version         curl ${url}/api/version
  Health          curl ${url}/readyz
Open it in a browser to sign and check a document; "npm run demo" does the same by program. Stop with Ctrl+C.
`
