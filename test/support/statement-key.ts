import { newKey } from '#host/session/kept-secrets.js'

/** The statement key of registries of this process, in PEM. */
export const STATEMENT_KEY: string = newKey()
