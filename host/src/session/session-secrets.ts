import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { keptFile } from './kept-file.js'

/** A random secret. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The secret in `<folder>/session-secret`, readable by the owner alone; made where there is none yet. */
export const keptSecret = (folder: string): string => keptFile(join(folder, 'session-secret'), newSecret).trim()
