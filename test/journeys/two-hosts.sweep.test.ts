import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { forServer } from '../support/databases.js'
import { onGalera } from '../support/galera.js'
import { startHostProcess } from '../support/host-process.js'
import { postBytes, postJson, request } from '../support/http.js'
import { amount } from '../support/sweep.js'

const content = Uint8Array.from(Buffer.from('contract'))
const EACH = amount(16, 120)
const WRITERS = 4

interface Signed {
  readonly documentId: string
  readonly signId: number
}

/** Retries when a host was too busy: nothing was stored then, or the retry would be refused. */
async function answered<A extends { readonly status: number }>(ask: () => Promise<A>): Promise<A> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
}

const posted = (url: string, signature: string) => answered(() => postJson<Signed>(url, { signature }))
const signaturesAt = async (url: string) =>
  (await answered(() => request<{ signatures: Signed[] }>(url))).json.signatures.map(({ signId }) => signId)

forServer((open) =>
  describe('two hosts on one database', () => {
    sideBySide(async () => {
      const url = await open()
      return [url, url]
    })
  }),
)

onGalera('two hosts at two nodes of a Galera cluster', (galera) =>
  sideBySide(async () => {
    const [first, second] = await galera().createDatabase()
    return [first, second]
  }),
)

/** Two hosts that start together, each at its address of one database. */
function sideBySide(open: () => Promise<[string, string]>): void {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-two-hosts-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('start on an empty database together and register side by side without a lost or doubled id', async function () {
    this.timeout(900_000)
    const hosts = (await open()).map((url) => startHostProcess({ DATABASE_URL: url, DATA_DIR: folder }))
    const apis = await Promise.all(hosts.map(async ({ url }) => `${await url}/api`))
    const authorities = DevAuthorities.create({ folder: join(folder, 'dev-authorities') })
    const sign = () => authorities.person().signCms(content, { timeStamp: true, ocsp: true }).toString('base64')

    const register = async (api: string) => {
      const registered: Signed[] = []
      for (let i = 0; i < EACH / WRITERS; i++) {
        const { status, json, text } = await posted(api, sign())
        expect(status, text).to.equal(200)
        registered.push(json)
      }
      return registered
    }
    const writers = apis.flatMap((api) => Array.from({ length: WRITERS }, () => register(api)))
    const registered = (await Promise.all(writers)).flat()
    expect(registered).to.have.lengthOf(2 * EACH)
    expect(new Set(registered.map(({ documentId }) => documentId)).size).to.equal(2 * EACH)
    for (const { documentId, signId } of registered) {
      for (const api of apis) {
        expect(await signaturesAt(`${api}/${documentId}`)).to.deep.equal([signId])
      }
    }

    // Both add to one document while somebody reads on from the last signId.
    const [first, second] = apis as [string, string]
    const documentId = registered[0]?.documentId
    expect((await postBytes(`${first}/${documentId}/data`, content)).status).to.equal(200)
    let adding = true
    const seen: number[] = []
    const readOn = async () => {
      const more = await signaturesAt(`${second}/${documentId}?lastSignId=${seen.at(-1) ?? 0}`)
      seen.push(...more)
      return more.length
    }
    const reading = (async () => {
      while (adding) await readOn()
      while ((await readOn()) > 0);
    })()
    const adds = apis.flatMap((api) => Array.from({ length: EACH / 2 }, () => posted(`${api}/${documentId}`, sign())))
    const added = await Promise.all(adds)
    adding = false
    await reading
    for (const { status, text } of added) expect(status, text).to.equal(200)
    const given = [registered[0]?.signId, ...added.map(({ json }) => json.signId)].sort((a, b) => Number(a) - Number(b))
    expect(new Set(given).size).to.equal(EACH + 1)
    expect(seen).to.deep.equal(given)
    for (const host of hosts) expect(await host.end('SIGTERM')).to.equal(0)
  })
}
