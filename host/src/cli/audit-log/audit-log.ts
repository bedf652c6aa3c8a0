import { parseArgs } from 'node:util'
import { anyAddress, type LogAudit, OutboundClient, openLogAudit } from '@signed-registry/core'
import { configFile } from '../../config/config-file.js'
import type { Variables } from '../../config/environment.js'
import { loadConfig } from '../../config/load-config.js'
import { type Console, UsageError } from '../console.js'
import { AuditReport } from './audit-report.js'
import { stateFile } from './audit-state.js'
import { givenKey } from './checkpoint-keys.js'
import { findLog } from './find-log.js'
import { FollowLog } from './follow-log.js'
import { policyAt } from './judge-policy.js'
import { LogUnreadable, type Retries, usualRetries } from './log-reader.js'

/** Requests under way. */
const CONNECTIONS = 8

/**
 * Follows a log by what everybody can read of it: its newest checkpoint goes on from the one that was kept, and every new entry
 * is in its tree. With the database of the registry, compares all that was logged. Exit code 0 where all is proved, 1 where something is wrong,
 * 3 where nothing is but something is not proved.
 */
export async function auditLog(
  args: readonly string[],
  console: Console,
  retries: Retries = usualRetries,
): Promise<number> {
  const { values, positionals } = parsed(withoutValue(args))
  const [url, ...more] = positionals
  if (url === undefined || more.length > 0) throw new UsageError('Name one log, or the registry that has it')
  const key = values.key === undefined ? undefined : givenKey(values.key)
  const policy = values.policy === undefined ? undefined : policyAt(values.policy)
  const audit = await opened(values['with-database'], console.env)
  const report = new AuditReport(console, values.json === true)
  const client = new OutboundClient({ guard: anyAddress, maxSockets: CONNECTIONS })
  try {
    const log = await findLog(url, client, retries)
    const file = values.state ?? stateFile(log.origin)
    await new FollowLog(report, log, { file, key, policy, audit }).run()
  } catch (error) {
    if (!(error instanceof LogUnreadable)) {
      report.fail(error)
      throw error
    }
    report.find({ code: 'unreadable', weight: 'unread', text: `${error.message}: nothing is proved; try again later` })
  } finally {
    client.close()
    await audit?.close()
  }
  return report.end()
}

/** `--with-database` may stand alone, so that no password is among the arguments, which everybody on the machine can list. */
const withoutValue = (args: readonly string[]): string[] =>
  args.map((arg, at) =>
    arg === '--with-database' && /^(?:-|https?:|$)/.test(args[at + 1] ?? '') ? '--with-database=' : arg,
  )

async function opened(option: string | undefined, env: Variables): Promise<LogAudit | undefined> {
  if (option === undefined) return undefined
  const database = option === '' ? await configured(env) : option
  if (database === undefined)
    throw new UsageError('--with-database without a value takes the database of DATABASE_URL, which is not set')
  if (!/^(?:sqlite:.|mysql:\/\/.)/.test(database))
    throw new UsageError(`--with-database takes sqlite:PATH or mysql://user:password@host/name`)
  return openLogAudit({ database }).catch((cause: unknown) => {
    throw new Error(`--with-database: ${cause instanceof Error ? cause.message : cause}`, { cause })
  })
}

/** The database of the registry; auditors elsewhere have no more of its configuration than `DATABASE_URL`. */
async function configured(env: Variables): Promise<string | undefined> {
  const url = env.DATABASE_URL?.trim()
  if (url) return url
  const isHere = env.ENVIRONMENT_FILE?.trim() || configFile(env) !== undefined
  return isHere ? (await loadConfig(env)).databaseUrl : undefined
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        key: { type: 'string' },
        state: { type: 'string' },
        policy: { type: 'string' },
        'with-database': { type: 'string' },
        json: { type: 'boolean' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
