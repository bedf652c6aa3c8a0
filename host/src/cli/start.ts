import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import { readConfig } from '../config/config.js'
import { logConsole } from '../monitoring/logging.js'
import { type Host, startHost } from '../start-host.js'
import { type Console, failure, UsageError } from './console.js'

const CLOSING_TIMEOUT = 30_000

const WARNING = `
*************************************************************************
  DEVELOPMENT AUTHORITIES ARE ON: anybody can sign as anybody here.
  Nothing registered in this database proves anything.
  Set TRUST_ANCHORS to use real authorities (docs/configuration.md).
*************************************************************************
`

/** Runs the registry until it receives a signal to stop. */
export async function start(args: readonly string[], console: Console): Promise<number> {
  if (args.length > 0) throw new UsageError('start takes no arguments: it is configured by environment variables')
  boundHeapGrowth()
  const config = readConfig(console.env)
  const host = await startHost({ config }).catch((error: unknown) => {
    throw failure('The host did not start', error)
  })
  logConsole(host.app.log)
  if (host.forDevelopment && config.logLevel !== 'silent') console.err(WARNING)
  console.out(greeting(host))
  const stopped = new Promise<void>((resolve) => {
    closeWithGrace({ delay: CLOSING_TIMEOUT, logger: false }, async ({ err }) => {
      if (err) host.app.log.fatal({ err }, 'stopping after a failure')
      else host.app.log.info('stopping')
      await host.close()
      resolve()
    })
  })
  await stopped
  return 0
}

/**
 * Makes V8 collect garbage when the heap has grown by half since the last collection, instead of fourfold as on machines with
 * much memory: a host under load stays small, and its memory use becomes a meaningful metric.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}

const greeting = ({ url, systemsUrl }: Host): string => `
The registry is at ${url}
${systemsUrl === undefined ? '' : `  For systems     ${systemsUrl} (mutual TLS)\n`}  API reference   ${url}/docs
  Version         curl ${url}/api/version
  Health          curl ${url}/readyz
Open it in a browser to sign and check a document; "npm run demo" does the same by program. Stop with Ctrl+C.
`
