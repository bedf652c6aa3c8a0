import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { forEachDatabase } from '../support/databases.js'
import { startHostProcess } from '../support/host-process.js'
import { postBytes, postJson, request } from '../support/http.js'
import { amount } from '../support/sweep.js'

const contentOf = (number: number) => Uint8Array.from(Buffer.from(`contract ${number}`))
const ROUNDS = amount(2, 12)
const WRITERS = 4

interface Answered {
  readonly documentId: string
  readonly signId: number
  readonly content: Uint8Array<ArrayBuffer>
}

forEachDatabase((open) => {
  describe('a host that is killed in the middle of its work', () => {
    let folder: string
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'registry-crash-'))
    })
    after(() => rmSync(folder, { recursive: true, force: true }))

    it('has everything that it answered, and of the rest all or nothing', async () => {
      const env = { DATABASE_URL: await open(), DATA_DIR: folder }
      const answered: Answered[] = []
      const fixed = new Set<string>()
      let written = 0
      let whenAnswered = () => {}

      /** Registers and fixes until the connection breaks. */
      const write = async (api: string, authorities: DevAuthorities) => {
        const signer = authorities.person()
        for (;;) {
          const content = contentOf(++written)
          const signature = signer.signCms(content, { timeStamp: true, ocsp: true }).toString('base64')
          const { status, json, text } = await postJson<Answered>(api, { title: 'a', signature })
          if (status !== 200) throw new Error(text)
          answered.push({ ...json, content })
          whenAnswered()
          const data = await postBytes(`${api}/${json.documentId}/data`, content)
          if (data.status !== 200) throw new Error(data.text)
          fixed.add(json.documentId)
        }
      }
      const isBrokenConnection = (error: unknown) => error instanceof TypeError && error.message === 'fetch failed'

      for (let round = 1; round <= ROUNDS; round++) {
        const host = startHostProcess(env)
        const api = `${await host.url}/api`
        const authorities = DevAuthorities.create({ folder: join(folder, 'dev-authorities') })
        const writers = Array.from({ length: WRITERS }, () => write(api, authorities).catch((error) => error))
        const enough = new Promise<void>((resolve) => {
          whenAnswered = () => {
            if (answered.length >= round * 15) resolve()
          }
        })
        // The kill falls wherever the writers happen to be by then.
        await Promise.race([enough, ...writers])
        await host.end('SIGKILL')
        for (const end of await Promise.all(writers)) expect(isBrokenConnection(end), String(end)).to.equal(true)
      }

      const host = startHostProcess(env)
      const api = `${await host.url}/api`
      expect(new Set(answered.map(({ documentId }) => documentId)).size).to.equal(answered.length)
      for (const { documentId, signId, content } of answered) {
        const { json } = await request<{ signaturesTotal: number; signedDataSize: number; signatures: Answered[] }>(
          `${api}/${documentId}`,
        )
        expect(json.signaturesTotal).to.equal(1)
        expect(json.signatures.map((one) => one.signId)).to.deep.equal([signId])
        if (fixed.has(documentId)) expect(json.signedDataSize).to.equal(content.length)
        const data = await postBytes(`${api}/${documentId}/data`, content)
        const known = json.signedDataSize > 0
        expect(data.status, data.text).to.equal(known ? 409 : 200)
        expect((await postBytes(`${api}/${documentId}/verify`, content)).status).to.equal(200)
      }
      expect(await host.end('SIGTERM')).to.equal(0)
    })
  })
})
