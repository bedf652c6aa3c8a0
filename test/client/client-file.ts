import { fileURLToPath } from 'node:url'
import { describeRegistry } from '@signed-registry/core'
import { stockClientSource } from '#host/client-source/client-source.js'

/** The generated file of the client. */
export const CLIENT_FILE = fileURLToPath(new URL('../../core/client/src/operations.ts', import.meta.url))

/** What it says. */
export const clientFile = (): string => stockClientSource(describeRegistry([]))
