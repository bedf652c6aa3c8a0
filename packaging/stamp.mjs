import { fileURLToPath } from 'node:url'
import { writeFile } from './write-aside.mjs'

// Records the build time of core for GET /api/version: packed files have no meaningful dates.
const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? Math.floor(Date.now() / 1000))
const file = fileURLToPath(new URL('../core/registry/dist/build.json', import.meta.url))
writeFile(file, `${JSON.stringify({ builtAt: seconds })}\n`)
