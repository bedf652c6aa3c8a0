import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScannerUnavailable, type ScanVerdict } from '@signed-registry/core'

import { contentScannerContract } from '@signed-registry/core/contracts'
import { ClamdScanner, scannerClamd } from '@signed-registry/scanner-clamd'
import { expect } from 'chai'
import { type Clamd, clamdProgram, INFECTED, startClamd } from '../../support/clamd.js'
import { hold } from '../../support/hold.js'
import { chunksOf } from '../../support/objects.js'

const MIB = 1024 * 1024
const scan = (address: string, bytes: Uint8Array, timeoutMs = 20_000): Promise<ScanVerdict> =>
  new ClamdScanner(address, timeoutMs).scan(chunksOf(bytes))

describe('a ClamAV daemon as a scanner', () => {
  describe(clamdProgram ? 'that runs' : 'that runs (skipped: clamd is not installed)', () => {
    let clamd: Clamd
    before(async function () {
      if (clamdProgram === undefined) return process.env.REQUIRE_CLAMD === '1' ? expect.fail('no clamd') : this.skip()
      clamd = await startClamd({ maxBytes: 2 * MIB })
    })
    after(() => clamd?.stop())

    hold(
      contentScannerContract({
        open: () => new ClamdScanner(clamd.socket, 20_000),
        infected: () => INFECTED,
        tooLarge: 9 * MIB,
        unreachable: () => new ClamdScanner('/nowhere/clamd.sock', 1000),
      }),
    )

    it('names what it finds', async () => {
      const verdict = await scan(`unix:${clamd.socket}`, INFECTED)
      expect(verdict).to.deep.equal({ verdict: 'infected', name: 'Registry.Test.UNOFFICIAL' })
    })

    it('scans many at once', async () => {
      const verdicts = await Promise.all(
        Array.from({ length: 20 }, (_, at) => scan(clamd.socket, at % 2 === 0 ? INFECTED : Buffer.alloc(200_000, at))),
      )
      expect(verdicts.map(({ verdict }) => verdict === 'infected')).to.deep.equal(verdicts.map((_, at) => at % 2 === 0))
    })
  })

  describe('that fails', () => {
    const servers: Server[] = []
    const listen = async (answer: string | undefined) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).resume()
        if (answer !== undefined) socket.end(answer)
      })
      servers.push(server.listen(0, '127.0.0.1'))
      await once(server, 'listening')
      const address = server.address()
      return `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    }
    after(() => {
      for (const server of servers) server.close()
    })
    const refused = async (address: string, timeoutMs?: number) => {
      const error = await scan(address, Buffer.alloc(3 * MIB), timeoutMs).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(ScannerUnavailable)
    }

    it('is told from one that finds nothing', async () => {
      await refused(join(tmpdir(), 'no.sock'))
      await refused('127.0.0.1:1')
      for (const answer of [
        '',
        'stream: OK',
        'stream: OKAY\0',
        'OK\0',
        'x'.repeat(9000),
        'stream: lstat() failed ERROR\0',
      ]) {
        await refused(await listen(answer))
      }
    })

    it('is not waited for', async () => {
      await refused(await listen(undefined), 50)
    })
  })

  it('takes the path of a socket, or a host and a port', () => {
    expect(() => scannerClamd({ address: '/run/clamd.sock' })).to.not.throw()
    expect(() => scannerClamd({ address: 'clamd:3310' })).to.not.throw()
    expect(() => scannerClamd({ address: 'clamd' })).to.throw(TypeError, 'scanner-clamd')
  })
})
