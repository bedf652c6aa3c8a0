import { createRegistry } from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { registryApi } from '@signed-registry/host'
import fastify from 'fastify'

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
  // At least 32 characters, the same in every process of yours: sessions of people are signed by it.
  sessionSecrets: [process.env.SESSION_SECRET ?? 'take one from: openssl rand -base64 32'],
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
