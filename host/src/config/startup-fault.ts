import { DatabaseNotUsable, RegistryError, ScheduleError } from '@signed-registry/core'
import { ConfigError } from './config.js'

/** Turns a failure that shows only at startup into an error that names the variable at fault; any other error stays as it is. */
export function startupFault(error: unknown): unknown {
  if (error instanceof ConfigError) return error
  if (error instanceof ScheduleError) return new ConfigError([`SCHEDULES: ${error.message}`], { cause: error })
  if (error instanceof RegistryError && error.code === 'trustNotRead')
    return new ConfigError([`TRUST_ANCHORS: ${error.message}`], { cause: error })
  const driver = databaseError(error)
  return driver === undefined ? error : new ConfigError([`DATABASE_URL: ${driver.message}`], { cause: error })
}

/** True for errors of the driver or the network, not for what the registry itself found wrong with its schema. */
function databaseError(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  if (!(error instanceof DatabaseNotUsable)) return isOfDriver(error) ? error : undefined
  const { cause } = error
  return cause instanceof Error && (isOfDriver(cause) || 'syscall' in cause) ? cause : undefined
}

const isOfDriver = (error: Error): boolean =>
  'code' in error && ('sqlState' in error || 'fatal' in error || 'errcode' in error)
