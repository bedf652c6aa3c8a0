import { mkdirSync, writeFileSync } from 'node:fs'

// Writes down when core was built, for GET /api/version: the dates of packed files mean nothing.
const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? Math.floor(Date.now() / 1000))
const file = new URL('../core/registry/dist/build.json', import.meta.url)
// In a clean clone the first package is packed before core is built.
mkdirSync(new URL('.', file), { recursive: true })
writeFileSync(file, `${JSON.stringify({ builtAt: seconds })}\n`)
