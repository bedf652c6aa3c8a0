import { userInfo } from 'node:os'
import { type Administration, openAdministration, siteAt } from '@signed-registry/core'
import { type Config, ConfigError } from '../../config/config.js'
import { addressOf } from '../../config/own-address.js'
import { startupFault } from '../../config/startup-fault.js'
import { logOptionsOfCommand } from '../../log/log-options.js'
import { renewalOptions } from '../../renewal/renewal-options.js'
import { pluginsOf } from '../../stock-plugins.js'
import { missingDatabase } from '../database.js'

/** Opens the database of a configuration for administration; throws a `ConfigError` where there is none. */
export async function openConfigured(config: Config): Promise<Administration> {
  const file = missingDatabase(config)
  // A mistyped folder must not become a new, empty registry.
  if (file !== undefined)
    throw new ConfigError([`DATABASE_URL, DATA_DIR: there is no database at ${file}; set them as for the registry`])
  return openAdministration({
    database: config.databaseUrl,
    administrator: userInfo().username,
    plugins: pluginsOf(config),
    log: logOptionsOfCommand(config),
    renewal: renewalOptions(config),
    site: siteAt(config.baseUrl ?? addressOf(config)),
  }).catch((error: unknown) => {
    throw startupFault(error)
  })
}
