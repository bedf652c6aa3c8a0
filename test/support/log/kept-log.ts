import type { RegistryOptions } from '@signed-registry/core'

import { LOG_KEY } from '../log-key.js'

/** Options of a registry that keeps a log, and has no authority for time stamps, of which it warns. */
export const keptLog = {
  log: { key: LOG_KEY },
  logger: { info: () => undefined, warn: () => undefined, error: console.error },
} satisfies Partial<RegistryOptions>
