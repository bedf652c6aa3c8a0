import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRegistry } from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { registryListener } from '@signed-registry/host'

// At least 32 characters, the same in every process of yours, and known to nobody: sessions of people are signed by it.
const { SESSION_SECRET } = process.env
if (SESSION_SECRET === undefined) throw new Error('SESSION_SECRET is not set: take one from openssl rand -base64 32')

// A server of node:http, without any framework: what begins with /registry is the registry's.
const registry = await createRegistry({
  database: process.env.DATABASE_URL ?? 'sqlite:./registry.sqlite',
  plugins: [devAuthorities({ folder: process.env.AUTHORITIES ?? './authorities' })],
})
const listener = await registryListener({ registry, prefix: '/registry', sessionSecrets: [SESSION_SECRET] })
const server = createServer((request, response) => {
  if (request.url?.startsWith('/registry/')) listener(request, response)
  else response.end('Ours\n')
})
server.listen(Number(process.env.PORT ?? 3000))
await once(server, 'listening')
registry.start()
const address = server.address()
console.log(
  `The registry is at http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/registry. Stop with Ctrl+C.`,
)

process.once('SIGTERM', () => {
  server.close(async () => {
    await listener.close()
    await registry.close()
  })
  server.closeIdleConnections()
})
