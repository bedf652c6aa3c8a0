import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { openDatabase } from '#core/database/open.js'
import { decodeSignature } from '#verifier/cms/decode-signature.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readTrust } from '#verifier/path/read-trust.js'
import { verifySignature } from '#verifier/verify-signature.js'

const [url = '', size = '0', trustFile = ''] = process.argv.slice(2)

/**
 * The least that hosts can do that keep the same promises, on the same Fastify, Knex and verifier: insert one row of so
 * many octets and answer its number, verify first; find a row and answer it, hash what comes and find a row.
 */
const database = openDatabase(url)
await database.schema.createTable('bare', (table) => {
  table.bigIncrements('id')
  table.specificType('row', url.startsWith('mysql') ? 'mediumblob' : 'blob')
})
const trust = trustFile === '' ? { anchors: [], intermediates: [] } : readTrust([readFileSync(trustFile)])

function requireGood(signature: string): void {
  const cms = readCms(decodeSignature(signature))
  const { timeStamp, ocsp } = cms
  if (timeStamp === undefined || ocsp === undefined) throw new Error('There is no evidence')
  verifySignature(cms, { timeStamp: timeStamp.token, ocsp }, { trust, now: Date.now() })
}

const app = Fastify({ bodyLimit: 1 << 20 })
app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
for (const [path, verifies] of [
  ['/api', false],
  ['/verified', true],
] as const) {
  app.post<{ Body: { signature: string } }>(path, async ({ body }) => {
    if (verifies) requireGood(body.signature)
    const row = Buffer.alloc(Number(size))
    row.write(body.signature, 'latin1')
    const [id] = await database('bare').insert({ row })
    return { id }
  })
}
app.get<{ Params: { id: string } }>('/api/:id', async ({ params: { id } }) => {
  const found = await database('bare').where({ id }).first('id', 'row')
  return { id: found?.id, row: found?.row.toString('latin1') }
})
app.post<{ Params: { id: string } }>('/api/:id/verify', async ({ params: { id }, body }) => {
  const digest = createHash('sha256').update(Object(body)).digest('hex')
  const found = await database('bare').where({ id }).first('id')
  return { id: found?.id, digest }
})
app.addHook('onClose', () => database.destroy())
process.once('SIGTERM', () => void app.close())
console.log(`The registry is at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
