import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect } from 'chai'
import { documentRegistrar } from '../../support/document-registrar.js'
import { type HostProcess, startHostProcess } from '../../support/host-process.js'
import { peakMemory } from '../../support/process-figures.js'
import { amount } from '../../support/sweep.js'

const MIB = 1 << 20
const SIZE = amount(256, 1024)
/**
 * MiB beyond what the host needed before, and in all. By itself it stays below 250; beside other tests garbage is collected
 * later.
 */
const [MORE, MAX_MIB] = [150, 300]
/** On disk: files in a memory file system would count as memory. */
const DISK = '/var/tmp'

describe('the memory of a host that archives', () => {
  const chunk = Buffer.alloc(MIB, 'original')
  const folder = mkdtempSync(join(DISK, 'registry-upload-'))
  let host: HostProcess
  let address: string
  let idle: number
  const assertSmall = () => {
    expect(peakMemory(host) - idle).to.be.below(MORE)
    expect(peakMemory(host)).to.be.below(MAX_MIB)
  }

  before(async function () {
    if (!existsSync('/proc/self/status')) this.skip()
    host = startHostProcess({
      DATA_DIR: folder,
      ARCHIVE_KEYS: `a:${randomBytes(32).toString('base64')}`,
      SHARES: 'temporaryStorage.stranger=2G',
    })
    const url = await host.url
    const hash = createHash('sha256')
    for (let index = 0; index < SIZE; index += 1) hash.update(chunk)
    const settings = { tempStorageAfterRegistration: 3_600_000, publicWhileLessThanSignatures: 9 }
    const id = await documentRegistrar(url, join(folder, 'dev-authorities'), settings)(hash.digest())
    address = `${url}/api/${id}/data`
    idle = peakMemory(host)
  })
  after(async () => {
    await host?.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  it('does not grow with an upload', async () => {
    expect(await upload(address)).to.include({ signedDataSize: SIZE * MIB, tempStorage: true })
    assertSmall()
  })

  it('does not grow with a download', async () => {
    const { status, body } = await fetch(address, { headers: { accept: 'application/octet-stream' } })
    expect(status).to.equal(200)
    let bytes = 0
    for await (const piece of body ?? []) bytes += piece.length
    expect(bytes).to.equal(SIZE * MIB)
    assertSmall()
  })

  async function upload(url: string): Promise<unknown> {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': SIZE * MIB }
    const call = request(url, { method: 'POST', headers })
    const answer = new Promise<unknown>((resolve, reject) => {
      call.once('error', reject)
      call.once('response', async (response) => resolve(JSON.parse(Buffer.concat(await response.toArray()).toString())))
    })
    await pipeline(Readable.from(Array.from({ length: SIZE }, () => chunk)), call)
    return answer
  }
})
