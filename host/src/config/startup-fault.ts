import { DatabaseNotUsable, RegistryError, ScheduleError } from '@signed-registry/core'
import { ConfigError } from './config.js'

/** The variable at fault for what only a start finds out, as an error that names it; anything else stays what it is. */
export function startupFault(error: unknown): unknown {
  if (error instanceof ConfigError) return error
  if (error instanceof ScheduleError) return new ConfigError([`SCHEDULES: ${error.message}`], { cause: error })
  if (error instanceof RegistryError && error.code === 'trustNotRead')
    return new ConfigError([`TRUST_ANCHORS: ${error.message}`], { cause: error })
  const driver = databaseError(error)
  return driver === undefined ? error : new ConfigError([`DATABASE_URL: ${driver.message}`], { cause: error })
}

/** What the database or the way to it answered; not what the registry itself found wrong with its schema. */
function databaseError(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  if (!(error instanceof DatabaseNotUsable)) return isOfDriver(error) ? error : undefined
  const { cause } = error
  return cause instanceof Error && (isOfDriver(cause) || 'syscall' in cause) ? cause : undefined
}

const isOfDriver = (error: Error): boolean =>
  'code' in error && ('sqlState' in error || 'fatal' in error || 'errcode' in error)
