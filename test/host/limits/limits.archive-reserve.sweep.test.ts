import { randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { type HostProcess, startHostProcess } from '../../support/host-process.js'
import { postBytes, postJson } from '../../support/http.js'
import { UNTITLED } from '../../support/packages.js'
import { mountSmallDisk } from '../../support/small-disk.js'

const MIB = 2 ** 20
const DISK = 48
const RESERVE = 24 * MIB
const ORIGINAL = 2 * MIB

describe('an archive on the disk of the database', () => {
  let host: HostProcess
  let disk: ReturnType<typeof mountSmallDisk>
  before(function () {
    disk = mountSmallDisk(DISK)
    if (disk === undefined) this.skip()
  })
  // What still runs keeps the disk busy.
  afterEach(() => host.end('SIGKILL'))
  after(() => disk?.unmount())

  /** Registers a package of two documents that are to be kept, and brings both originals at once. */
  const bring = async (url: string) => {
    const { json } = await postJson<{ documentsIds: string[]; dataSecret: string }>(`${url}/api/package`, {
      ...UNTITLED,
      documents: [UNTITLED, UNTITLED],
      documentsSettings: { tempStorageAfterRegistration: 3_600_000, publicDuringPreregistration: true },
    })
    const paths = json.documentsIds.map((id) => `${url}/api/${id}/data?dataSecret=${json.dataSecret}`)
    const answers = await Promise.all(paths.map((path) => postBytes(path, randomBytes(ORIGINAL))))
    return answers.map(({ status, json: { code } }) => [status, code])
  }

  it('is not filled by 22 small requests and their originals, and the database goes on', async () => {
    const folder = join(disk?.folder ?? '', 'data')
    host = startHostProcess({ DATA_DIR: folder, ARCHIVE_RESERVE: String(RESERVE) })
    const url = await host.url
    const answers: unknown[][] = []
    for (let at = 0; at < 11; at += 1) answers.push(...(await bring(url)))
    expect(answers).to.deep.include([200, undefined])
    expect(answers.slice(-2)).to.deep.equal([
      [507, 'archiveFull'],
      [507, 'archiveFull'],
    ])
    const { bavail, bsize } = statfsSync(folder)
    // The database has taken some of it.
    expect(bavail * bsize).to.be.above(RESERVE - 8 * MIB)
    const person = DevAuthorities.create({ folder: join(folder, 'dev-authorities') }).named('person-1')
    const signature = person.signCms(Buffer.from('a'), { timeStamp: true, ocsp: true }).toString('base64')
    const { status, text } = await postJson(`${url}/api`, { signature })
    expect(status, text).to.equal(200)
  })

  it('stores nothing on a disk below its reserve; the host starts anyway, with a warning', async () => {
    host = startHostProcess({ DATA_DIR: join(disk?.folder ?? '', 'data'), LOG_LEVEL: 'warn' })
    expect(await bring(await host.url)).to.deep.equal([
      [507, 'archiveFull'],
      [507, 'archiveFull'],
    ])
    expect(await host.greeting).to.include('below ARCHIVE_RESERVE')
  })
})
