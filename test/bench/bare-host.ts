import Fastify from 'fastify'
import { openDatabase } from '../../core/dist/database/open.js'

const [url = '', size = '0'] = process.argv.slice(2)

/** The least that a host can do: a route that inserts one row of so many octets, and answers its number. */
const database = openDatabase(url)
await database.schema.createTable('bare', (table) => {
  table.bigIncrements('id')
  table.specificType('row', url.startsWith('mysql') ? 'mediumblob' : 'blob')
})
const app = Fastify({ bodyLimit: 1 << 20 })
app.post<{ Body: { signature: string } }>('/api', async ({ body }) => {
  const row = Buffer.alloc(Number(size))
  row.write(body.signature, 'latin1')
  const [id] = await database('bare').insert({ row })
  return { id }
})
app.addHook('onClose', () => database.destroy())
process.once('SIGTERM', () => void app.close())
console.log(`The registry is at ${await app.listen({ host: '127.0.0.1', port: 0 })}\nStop with Ctrl+C`)
