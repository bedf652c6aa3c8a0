import { fileURLToPath } from 'node:url'
import { writeFile } from './write-aside.mjs'

// Writes down when core was built, for GET /api/version: the dates of packed files mean nothing.
const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? Math.floor(Date.now() / 1000))
const file = fileURLToPath(new URL('../core/registry/dist/build.json', import.meta.url))
writeFile(file, `${JSON.stringify({ builtAt: seconds })}\n`)
