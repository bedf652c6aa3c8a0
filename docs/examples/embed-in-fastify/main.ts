import { createRegistry } from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { registryApi } from '@signed-registry/host'
import fastify from 'fastify'

// At least 32 characters, the same in every process of yours, and known to nobody: sessions of people are signed by it.
const { SESSION_SECRET } = process.env
if (SESSION_SECRET === undefined) throw new Error('SESSION_SECRET is not set: take one from openssl rand -base64 32')

// An application of yours, with routes of its own, and the registry's REST API below /registry.
const registry = await createRegistry({
  database: process.env.DATABASE_URL ?? 'sqlite:./registry.sqlite',
  // For real: onlineAuthorities({ trustAnchors, tspUrl, ocspUrl }) of @signed-registry/online-authorities.
  plugins: [devAuthorities({ folder: process.env.AUTHORITIES ?? './authorities' })],
})
const app = fastify()
app.get('/', async () => ({ registry: '/registry/api/version' }))
await app.register(registryApi, {
  prefix: '/registry',
  registry,
  sessionSecrets: [SESSION_SECRET],
})

// What repeats: deliveries, sweeps, overdue items. Several processes on one database share the work.
registry.start()
console.log(
  `The registry is at ${await app.listen({ port: Number(process.env.PORT ?? 3000) })}/registry. Stop with Ctrl+C.`,
)

process.once('SIGTERM', async () => {
  await app.close()
  await registry.close()
})
