import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { forEachDatabase, openSqlite } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { type Answer, postBytes, postJson, request } from '../support/http.js'
import { signaturesOver, UNTITLED } from '../support/packages.js'
import { amount } from '../support/sweep.js'

const ROUNDS = amount(2, 12)
const WRITERS = 4

interface Document {
  readonly documentId: string
  readonly signId: number
  readonly content: Uint8Array<ArrayBuffer>
}

interface Package {
  readonly packageId: string
  readonly documentsIds: readonly string[]
  readonly dataSecret: string
}

/** Everything that was acknowledged, and so must not be lost. */
class Answered {
  readonly documents: Document[] = []
  readonly fixed = new Set<string>()
  readonly packages: Package[] = []
  readonly signedPackages = new Set<string>()
  private written = 0

  constructor(private readonly folder: string) {}

  get count(): number {
    return this.documents.length + this.signedPackages.size
  }

  /** Registers documents and packages until the connection breaks; records each. */
  async write(api: string, told: () => void): Promise<never> {
    const signer = DevAuthorities.create({ folder: join(this.folder, 'dev-authorities') }).person()
    for (;;) {
      await this.document(api, signer)
      await this.package(api, signer)
      told()
    }
  }

  private async document(api: string, signer: ReturnType<DevAuthorities['person']>): Promise<void> {
    const content = this.content()
    const signature = signer.signCms(content, { timeStamp: true, ocsp: true }).toString('base64')
    const json = await done(() => postJson<Document>(api, { title: 'a', signature }))
    this.documents.push({ ...json, content })
    await done(() => postBytes(`${api}/${json.documentId}/data`, content))
    this.fixed.add(json.documentId)
  }

  private async package(api: string, signer: ReturnType<DevAuthorities['person']>): Promise<void> {
    const documents = ['a', 'b'].map((title) => ({ ...UNTITLED, title }))
    const one = await done(() => postJson<Package>(`${api}/package`, { ...UNTITLED, documents }))
    this.packages.push(one)
    const contents = documents.map(() => this.content())
    for (const [index, id] of one.documentsIds.entries())
      await done(() => postBytes(`${api}/${id}/data?dataSecret=${one.dataSecret}`, contents[index] ?? new Uint8Array()))
    const signatures = signaturesOver(contents, signer)
    await done(() => postJson(`${api}/package/${one.packageId}`, { signatures }))
    this.signedPackages.add(one.packageId)
  }

  private content(): Uint8Array<ArrayBuffer> {
    this.written += 1
    return Uint8Array.from(Buffer.from(`contract ${this.written}`))
  }
}

/** Retries when a host was too busy: nothing was stored then. Any other refusal is a fault. */
async function done<T>(ask: () => Promise<Answer<T>>): Promise<T> {
  for (;;) {
    const { status, json, text } = await ask()
    if (status === 200) return json
    if (status !== 503) throw new Error(text)
  }
}

const isBrokenConnection = (error: unknown) => error instanceof TypeError && error.message === 'fetch failed'

forEachDatabase((open) => {
  describe('a host that is killed in the middle of its work', () => {
    let folder: string
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'registry-crash-'))
    })
    afterEach(() => rmSync(folder, { recursive: true, force: true }))

    /** Everything acknowledged exists exactly once; the rest exists completely or not at all. */
    const proveAll = async (api: string, { documents, fixed, packages, signedPackages }: Answered) => {
      expect(new Set(documents.map(({ documentId }) => documentId)).size).to.equal(documents.length)
      for (const { documentId, signId, content } of documents) {
        const { json } = await request<{ signaturesTotal: number; signedDataSize: number; signatures: Document[] }>(
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
      for (const { packageId, documentsIds } of packages) {
        const totals = new Set<number>()
        for (const id of documentsIds)
          totals.add((await request<{ signaturesTotal: number }>(`${api}/${id}`)).json.signaturesTotal)
        expect(totals.size, 'a package is signed as a whole').to.equal(1)
        if (signedPackages.has(packageId)) expect([...totals]).to.deep.equal([1])
      }
    }

    it('keeps everything that it acknowledged, and of the rest all or nothing', async () => {
      const env = { DATABASE_URL: await open(), DATA_DIR: folder }
      const answered = new Answered(folder)
      for (let round = 1; round <= ROUNDS; round++) {
        const host = startHostProcess(env)
        await killAmongWriters(answered, [`${await host.url}/api`], host, round * 15)
      }
      const host = startHostProcess(env)
      await proveAll(`${await host.url}/api`, answered)
      expect(await host.end('SIGTERM')).to.equal(0)
    })

    // SQLite is for one host.
    const withAnother = open === openSqlite ? () => undefined : it
    withAnother('leaves the other host everything that either of them acknowledged', async () => {
      const DATABASE_URL = await open()
      const SESSION_SECRET = randomBytes(32).toString('hex')
      const start = async (): Promise<HostProcess> => {
        const PORT = String(await freePort())
        const PEER_URL = `http://127.0.0.1:${PORT}`
        return startHostProcess({ DATABASE_URL, SESSION_SECRET, DATA_DIR: folder, PORT, PEER_URL })
      }
      const answered = new Answered(folder)
      let stays = await start()
      await stays.url
      for (let round = 1; round <= ROUNDS; round++) {
        const next = await start()
        const apis = [`${await stays.url}/api`, `${await next.url}/api`]
        await killAmongWriters(answered, apis, stays, round * 15)
        stays = next
      }
      await proveAll(`${await stays.url}/api`, answered)
      expect(await stays.end('SIGTERM')).to.equal(0)
    })
  })
})

/** Lets writers run at all hosts until enough is acknowledged, then kills one host at a random point. */
async function killAmongWriters(
  answered: Answered,
  apis: readonly string[],
  host: HostProcess,
  enough: number,
): Promise<void> {
  const killed = `${await host.url}/api`
  let ended = false
  let whenTold = () => {}
  const isEnough = new Promise<void>((resolve) => {
    whenTold = () => {
      if (answered.count >= enough) resolve()
    }
  })
  const writers = apis.flatMap((api) =>
    Array.from({ length: WRITERS }, async () => {
      try {
        return await answered.write(api, () => {
          whenTold()
          // At surviving hosts the writers stop at the end of the round.
          if (ended && api !== killed) throw new TypeError('fetch failed')
        })
      } catch (error) {
        return error
      }
    }),
  )
  await Promise.race([isEnough, ...writers])
  await host.end('SIGKILL')
  ended = true
  for (const end of await Promise.all(writers)) expect(isBrokenConnection(end), String(end)).to.equal(true)
}
