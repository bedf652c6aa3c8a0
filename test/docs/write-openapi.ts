import { writeFileSync } from 'node:fs'
import { createRegistry } from '@signed-registry/core'

import { devAuthorities } from '@signed-registry/dev-authorities'
import { buildApp } from '#host/app.js'
import { newSecret } from '#host/session/kept-secrets.js'

// npm run generate: writes docs/openapi.json.
const file = new URL('../../docs/openapi.json', import.meta.url)
const registry = await createRegistry({ database: 'sqlite::memory:', plugins: [devAuthorities({})] })
const app = await buildApp(registry, { logLevel: 'warn', sessionSecrets: [newSecret()] })
const described = await app.inject('/openapi.json')
writeFileSync(file, `${JSON.stringify(described.json(), null, 2)}\n`)
await app.close()
await registry.close()
