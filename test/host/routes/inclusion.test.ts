import { verifyLogProof } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { LogWorker } from '#core/log/log-worker.js'
import { forSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson, request } from '../../support/http.js'
import { LOG_KEY } from '../../support/log-key.js'

interface Inclusion {
  readonly state: string
  readonly proof?: string
}

forSqlite((open) => {
  describe('the proof that a signature is logged, over HTTP', () => {
    let host: TestHost
    let address: string
    before(async () => {
      host = await startTestHost(open, { registry: { log: { key: LOG_KEY } } })
      const signature = host.authorities.person().signCms(Buffer.from('A contract')).toString('base64')
      const { json } = await postJson<{ documentId: string; signId: number }>(`${host.url}/api`, { signature })
      address = `${host.url}/api/${json.documentId}/signature/${json.signId}/inclusion`
    })
    after(() => host.close())

    const asText = () => fetch(address, { headers: { accept: 'text/plain' } })

    it('is answered as JSON while there is none, and then alone to who accepts text', async () => {
      const waiting = await asText()
      expect(waiting.headers.get('content-type')).to.match(/^application\/json/)
      expect(await waiting.json()).to.include({ state: 'pending' })
      await host.registry.get(LogWorker).run()
      const { json } = await request<Inclusion>(address)
      expect(json.state).to.equal('logged')
      const answer = await asText()
      expect(answer.headers.get('content-type')).to.match(/^text\/plain/)
      const proof = await answer.text()
      expect(proof).to.equal(json.proof)
      expect(verifyLogProof(proof).kind).to.equal('signature')
    })

    it('is of signatures of this document alone', async () => {
      const other = await request<{ code: string }>(address.replace(/\d+\/inclusion$/, '999999/inclusion'))
      expect([other.status, other.json.code]).to.deep.equal([404, 'invalidSignatureIdentifier'])
    })
  })
})
