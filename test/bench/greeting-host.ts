import Fastify from 'fastify'

/** The least that listens: what starting Node and Fastify takes. */
const app = Fastify()
app.get('/', async () => ({ hello: 'world' }))
process.once('SIGTERM', () => void app.close())
console.log(`The registry is at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
