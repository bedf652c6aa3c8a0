import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { archiveFs } from '@signed-registry/archive-fs'
import { archiveS3 } from '@signed-registry/archive-s3'
import type { Plugin } from '@signed-registry/core'

import { SaveUserSettings } from '@signed-registry/core/settings'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { SweepOriginals } from '#core/originals/index.js'
import { ArchiveAccounts } from '#core/settings/index.js'
import { personCaller } from '../../support/core-registry.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { type Answer, openSocket, postBytes, postJson, sendRaw } from '../../support/http.js'
import { presentAuthorities } from '../../support/pki/authorities.js'
import { mountSmallDisk } from '../../support/small-disk.js'
import { until } from '../../support/until.js'

const LIMIT = 2 ** 23
const IIN = 'IIN900101300017'
const closing: (() => Promise<void> | void)[] = []

/** A host that archives what one person signs. */
async function startArchive(store: Plugin) {
  const authorities = presentAuthorities()
  const host = await startTestHost(openSqlite, {
    authorities,
    plugins: [devAuthorities({ authorities }), store],
    logger: silentLogger,
    limits: { json: 2 ** 20, upload: LIMIT },
  })
  closing.push(() => host.close())
  const request = { dataArchiveEnabled: true, dataArchiveContactEmail: 'a@example.kz' }
  await host.registry.get(SaveUserSettings).execute(personCaller(IIN), { request })
  const person = authorities.person({ iin: IIN.slice(3) })
  return {
    host,
    async register(original: Uint8Array, settings: object = {}) {
      const signature = person.signCms(Buffer.from(original), { timeStamp: true }).toString('base64')
      const { status, text: said, json } = await postJson(`${host.url}/api`, { signature, settings })
      expect(status, said).to.equal(200)
      return `/api/${json.documentId}/data`
    },
    /** What is kept of originals, and what it takes of the quota. */
    async kept() {
      await host.registry.get(SweepOriginals).run()
      const rows = await host.registry.get(Database).query('registry_originals').select('state', 'size')
      return { rows, used: (await host.registry.get(ArchiveAccounts).get(IIN)).dataArchiveUsage }
    },
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
const NOTHING = { rows: [], used: 0 }
const nothing = () => undefined
const silentLogger = { info: nothing, warn: nothing, error: nothing }
const codeOf = ({ status, json }: Answer) => [status, json.code]
const post = (host: TestHost, path: string, bytes: Uint8Array<ArrayBuffer>) => postBytes(`${host.url}${path}`, bytes)

describe('a bad upload of an original that is to be archived', () => {
  after(async () => {
    for (const close of closing.reverse()) await close()
  })

  describe('is refused, and leaves nothing behind', () => {
    let folder: string
    let archive: Awaited<ReturnType<typeof startArchive>>
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-bad-originals-'))
      closing.push(() => rmSync(folder, { recursive: true }))
      archive = await startArchive(archiveFs({ folder }))
    })
    afterEach(async () => {
      expect(await archive.kept()).to.deep.equal(NOTHING)
      expect(filesIn(folder)).to.deep.equal([])
    })
    const head = (path: string, length: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/octet-stream\r\n${length}\r\n\r\n`

    it('without Content-Length', async () => {
      const path = await archive.register(randomBytes(10))
      for (const length of ['Transfer-Encoding: chunked', 'X-Length: 10', 'Content-Length: ten']) {
        expect(await sendRaw(archive.host.url, `${head(path, length)}0\r\n\r\n`)).to.match(/^HTTP\/1\.1 400 /)
      }
    })

    it('when it is cut in the middle', async () => {
      const original = randomBytes(5_000_000)
      const path = await archive.register(original)
      const socket = await openSocket(archive.host.url)
      socket.on('error', () => undefined)
      socket.write(head(path, `Content-Length: ${original.length}`))
      socket.write(original.subarray(0, 3_000_000))
      // It has begun to be stored.
      await until(async () => filesIn(folder).length === 1)
      socket.destroy()
      await until(async () => (await archive.kept()).rows.length === 0)
    })

    it('when it is another original, or cut, or longer', async () => {
      const original = randomBytes(100_000)
      const path = await archive.register(original)
      for (const other of [randomBytes(100_000), original.subarray(1), Buffer.concat([original, randomBytes(1)])]) {
        expect(codeOf(await post(archive.host, path, other))).to.deep.equal([422, 'signatureDoesNotCorrespond'])
      }
    })

    it('above the limit of the host', async () => {
      const path = await archive.register(randomBytes(10))
      const answer = await sendRaw(archive.host.url, head(path, `Content-Length: ${LIMIT + 1}`))
      expect(answer)
        .to.match(/^HTTP\/1\.1 413 /)
        .and.include('"code":"bodyTooLarge"')
    })
  })

  it('of a document whose original is being uploaded is refused, and the first goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-two-uploads-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const { host, register, kept } = await startArchive(archiveFs({ folder }))
    const original = randomBytes(2_000_000)
    const path = await register(original)
    const socket = await openSocket(host.url)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: ${original.length}\r\n\r\n`,
    )
    socket.write(original.subarray(0, 1_500_000))
    await until(async () => filesIn(folder).length === 1)
    expect(codeOf(await post(host, path, original))).to.deep.equal([409, 'archivalStarted'])
    socket.write(original.subarray(1_500_000))
    expect(await text(socket))
      .to.match(/^HTTP\/1\.1 200 /)
      .and.include('"dataArchived":true')
    expect(codeOf(await post(host, path, original))).to.deep.equal([409, 'documentDigestsAlreadyKnown'])
    expect(await kept()).to.deep.equal({ rows: [{ state: 'stored', size: 2_000_000 }], used: 2_000_000 })
  })

  it('to a full disk answers 507 where the copy is demanded, and is registered without it otherwise', async function () {
    const disk = mountSmallDisk(1)
    if (disk === undefined) this.skip()
    closing.push(() => disk.unmount())
    const { host, register, kept } = await startArchive(archiveFs({ folder: join(disk.folder, 'archive') }))
    for (const settings of [{ forceArchive: true }, { tempStorageAfterRegistration: 1000 }]) {
      const original = randomBytes(3_000_000)
      const path = await register(original, settings)
      expect(codeOf(await post(host, path, original))).to.deep.equal([507, 'archiveFull'])
      expect(await kept()).to.deep.equal(NOTHING)
    }
    const another = randomBytes(3_000_001)
    const { status, json } = await post(host, await register(another), another)
    expect([status, json.dataArchived]).to.deep.equal([200, false])
    expect(await kept()).to.deep.equal(NOTHING)
  })

  it('to a store that cannot be reached answers 503 where the copy is demanded, and is registered without it otherwise', async () => {
    const nobody = { endpoint: 'http://127.0.0.1:1', bucket: 'bucket', accessKeyId: 'id', secretAccessKey: 'secret' }
    const { host, register, kept } = await startArchive(archiveS3({ ...nobody, attempts: 1 }))
    const original = randomBytes(1000)
    const path = await register(original, { forceArchive: true })
    expect(codeOf(await post(host, path, original))).to.deep.equal([503, 'archiveFailed'])
    const another = randomBytes(1001)
    expect((await post(host, await register(another), another)).json).to.include({ dataArchived: false })
    // What may have come there is deleted when it can be reached again.
    const { rows, used } = await kept()
    expect(used).to.equal(0)
    for (const { state } of rows) expect(state).to.equal('dropped')
  })
})
