import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect } from 'chai'
import { documentRegistrar } from '../support/document-registrar.js'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { peakMemory } from '../support/process-figures.js'

const MIB = 1 << 20
const SIZE = 96

describe('the memory of a host', () => {
  const chunk = Buffer.alloc(MIB, 'original')
  const folder = mkdtempSync(join(tmpdir(), 'registry-upload-'))
  let host: HostProcess

  before(function () {
    if (!existsSync('/proc/self/status')) this.skip()
    host = startHostProcess({ DATA_DIR: folder })
  })
  after(async () => {
    await host?.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  it('does not take in an upload', async () => {
    const url = await host.url
    const hash = createHash('sha256')
    for (let index = 0; index < SIZE; index += 1) hash.update(chunk)
    const id = await documentRegistrar(url, join(folder, 'dev-authorities'))(hash.digest())
    const before = peakMemory(host)
    expect(await upload(`${url}/api/${id}/data`)).to.equal(200)
    expect(peakMemory(host) - before).to.be.below(SIZE)
  })

  async function upload(url: string): Promise<number | undefined> {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': SIZE * MIB }
    const call = request(url, { method: 'POST', headers })
    const status = new Promise<number | undefined>((resolve, reject) => {
      call.once('error', reject)
      call.once('response', (response) => {
        response.resume()
        resolve(response.statusCode)
      })
    })
    await pipeline(Readable.from(Array.from({ length: SIZE }, () => chunk)), call)
    return status
  }
})
