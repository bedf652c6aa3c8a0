import { newKey } from '#host/session/kept-secrets.js'

/** A new key for a log, in PEM. */
export const newLogKey = newKey

/** The key of the logs of this process, in PEM. */
export const LOG_KEY: string = newLogKey()
