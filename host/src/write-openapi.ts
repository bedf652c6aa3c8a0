import { writeFileSync } from 'node:fs'
import { createRegistry } from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { buildApp } from './app.js'
import { newSecret } from './session/kept-secrets.js'

// npm run openapi: writes the description of the API into the file that is named as the argument.
const [, , file = 'docs/openapi.json'] = process.argv
const registry = await createRegistry({ database: 'sqlite::memory:', plugins: [devAuthorities({})] })
const app = await buildApp(registry, { logLevel: 'warn', sessionSecrets: [newSecret()] })
await app.ready()
writeFileSync(file, `${JSON.stringify(app.swagger(), null, 2)}\n`)
await app.close()
await registry.close()
