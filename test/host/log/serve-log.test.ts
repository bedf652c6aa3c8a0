import { request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { anonymous } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { GetLog, type PublicLog } from '@signed-registry/core/log'
import { readBundle } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { LogWorker } from '#core/log/log-worker.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { LOG_KEY } from '../../support/log-key.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

const FOR_EVER = 'public, max-age=31536000, immutable'

describe('the log over HTTP', () => {
  forEachDatabase((open) => {
    let host: TestHost
    let log: PublicLog
    before(async () => {
      host = await startTestHost(open, { registry: { log: { key: LOG_KEY } } })
      for (let n = 0; n < 3; n += 1) await register(host, `text ${n}`)
      await host.registry.get(LogWorker).run()
      log = await host.registry.get(GetLog).execute()
    })
    after(() => host.close())

    const register = ({ registry, authorities }: TestHost, text: string) => {
      const signature = authorities.person().signCms(Buffer.from(text)).toString('base64')
      return registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
    }
    const get = (path: string, init: RequestInit = {}) => fetch(`${log.address}/${path}`, init)
    const code = async (path: string) => {
      const answer = await get(path)
      const { code: said } = Object(await answer.json())
      const { headers } = answer
      return [answer.status, said, headers.get('cache-control'), headers.get('access-control-allow-origin')]
    }

    it('answers the newest checkpoint as text, for caches that keep it for seconds', async () => {
      const answer = await get('checkpoint')
      expect(await answer.text()).to.equal(log.checkpoint)
      expect(answer.status).to.equal(200)
      expect(answer.headers.get('content-type')).to.equal('text/plain; charset=utf-8')
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=2')
    })

    it('answers tiles and entries for ever', async () => {
      const hashes = await get(`tile/0/000.p/${log.size}`)
      expect((await hashes.arrayBuffer()).byteLength).to.equal(32 * log.size)
      const entries = await get(`tile/entries/000.p/${log.size}`)
      expect(readBundle(Buffer.from(await entries.arrayBuffer()), log.size)).to.have.lengthOf(log.size)
      for (const { status, headers } of [hashes, entries]) {
        expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/octet-stream'])
        expect(headers.get('cache-control')).to.equal(FOR_EVER)
      }
    })

    it('answers earlier partial tiles as long as nothing takes their place', async () => {
      expect((await get('tile/0/000.p/1')).status).to.equal(200)
    })

    it('lets pages of every origin read it', async () => {
      for (const path of ['checkpoint', `tile/0/000.p/${log.size}`]) {
        const { headers } = await get(path, { headers: { origin: 'https://other.example' } })
        expect(headers.get('access-control-allow-origin')).to.equal('*')
        expect(headers.get('cross-origin-resource-policy')).to.equal('cross-origin')
      }
    })

    it('answers HEAD as GET, without a body', async () => {
      for (const path of ['checkpoint', `tile/0/000.p/${log.size}`]) {
        const [whole, head] = [await get(path), await get(path, { method: 'HEAD' })]
        expect(head.status).to.equal(200)
        for (const name of ['content-length', 'content-type', 'cache-control'])
          expect(head.headers.get(name), name).to.equal(whole.headers.get(name))
        expect((await head.arrayBuffer()).byteLength).to.equal(0)
      }
    })

    for (const path of [
      ...['tile/0/000', 'tile/0/000.p/255', 'tile/0/001', 'tile/0/001.p/1', 'tile/1/000.p/1', 'tile/1/000'],
      ...['tile/0/000.p/0', 'tile/0/000.p/256', 'tile/0/000.p/01', 'tile/0/000.p', 'tile/0/000.p/', 'tile/0/000.p/-1'],
      ...['tile/64/000', 'tile/-1/000', 'tile/007/000', 'tile/00/000.p/1', 'tile/a/000', 'tile/0/0', 'tile/0/0000'],
      ...['tile/0/x000/000', 'tile/0/x001/x234/067', 'tile/0/999', `tile/0/${'x999/'.repeat(200)}999`],
      ...['tile/0/000.p/1/', 'tile//0/000.p/1', 'tile/0%2F000.p%2F1', 'tile/0/000%2ep/1', 'tile/tile/0/000.p/1'],
      ...['tile/entries/000', 'tile/entries/000.p/0', 'tile/entries/000.p/256', 'tile/entries/001', 'tile/entries/'],
      ...['tile/0/000.p/1%00', 'tile/0/000.p/%31', `tile/${'0'.repeat(4000)}`],
    ])
      it(`has no tile at ${path.slice(0, 60)}`, async () => {
        expect(await code(path)).to.deep.equal([404, 'logNotFound', 'no-store', '*'])
      })

    it('has nothing of logs that there are not', async () => {
      for (const name of ['0000000000000000', 'x', '..%2f..', 'checkpoint', '%F0%9F%98%80']) {
        const answers = [
          await fetch(`${host.url}/log/${name}/checkpoint`),
          await fetch(`${host.url}/log/${name}/tile/0/000`),
        ]
        for (const answer of answers)
          expect([answer.status, Object(await answer.json()).code]).to.deep.equal([404, 'logNotFound'])
      }
    })

    it('answers refusals with their status, also where the API answers 200', async () => {
      const other = await startTestHost(open, { errorsStatus: 'always-200' })
      expect((await fetch(`${other.url}/log/none/checkpoint`)).status).to.equal(404)
      await other.close()
    })

    it('takes nothing', async () => {
      for (const method of ['POST', 'PUT', 'DELETE']) expect((await get('checkpoint', { method })).status).to.equal(404)
    })

    it('is served over TLS', async () => {
      const { certificatePem, keyPem } = presentAuthorities().system()
      const tls = { cert: Buffer.from(certificatePem), key: Buffer.from(keyPem) }
      const secure = await startTestHost(open, { tls, registry: { log: { key: LOG_KEY } } })
      try {
        await register(secure, 'a text')
        await secure.registry.get(LogWorker).run()
        const { address, checkpoint } = await secure.registry.get(GetLog).execute()
        const body = await new Promise<Buffer>((resolve, reject) => {
          httpsRequest(`${address}/checkpoint`, { rejectUnauthorized: false, agent: false }, (answer) =>
            buffer(answer).then(resolve, reject),
          )
            .on('error', reject)
            .end()
        })
        expect(body.toString()).to.equal(checkpoint ?? 'Not found')
      } finally {
        await secure.close()
      }
    })
  })
})
