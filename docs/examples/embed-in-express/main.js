import { createRegistry } from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { registryListener } from '@signed-registry/host'
import express from 'express'

// At least 32 characters, the same in every process of yours, and known to nobody: sessions of people are signed by it.
const { SESSION_SECRET } = process.env
if (SESSION_SECRET === undefined) throw new Error('SESSION_SECRET is not set: take one from openssl rand -base64 32')

// An Express application, and the registry's REST API below /registry.
const registry = await createRegistry({
  database: process.env.DATABASE_URL ?? 'sqlite:./registry.sqlite',
  plugins: [devAuthorities({ folder: process.env.AUTHORITIES ?? './authorities' })],
})
const app = express()
// Before express.json(): the registry reads bodies itself, and bounds them. Express takes /registry off the address.
app.use('/registry', await registryListener({ registry, sessionSecrets: [SESSION_SECRET] }))
app.use(express.json())
app.get('/', (_request, response) => response.json({ registry: '/registry/api/version' }))

registry.start()
const server = app.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`The registry is at http://127.0.0.1:${server.address().port}/registry. Stop with Ctrl+C.`)
})
process.once('SIGTERM', () => server.close(() => registry.close()))
