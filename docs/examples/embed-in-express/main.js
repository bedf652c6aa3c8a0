import { createRegistry } from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { registryListener } from '@signed-registry/host'
import express from 'express'

// An Express application, and the registry's REST API below /registry.
const registry = await createRegistry({
  database: process.env.DATABASE_URL ?? 'sqlite:./registry.sqlite',
  plugins: [devAuthorities({ folder: process.env.AUTHORITIES ?? './authorities' })],
})
const sessionSecrets = [process.env.SESSION_SECRET ?? 'take one from: openssl rand -base64 32']
const app = express()
// Before express.json(): the registry reads bodies itself, and bounds them. Express takes /registry off the address.
app.use('/registry', await registryListener({ registry, sessionSecrets }))
app.use(express.json())
app.get('/', (_request, response) => response.json({ registry: '/registry/api/version' }))

registry.start()
const server = app.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`The registry is at http://127.0.0.1:${server.address().port}/registry. Stop with Ctrl+C.`)
})
process.once('SIGTERM', () => server.close(() => registry.close()))
