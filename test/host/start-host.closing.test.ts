import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settledWithin } from '@signed-registry/core'
import { expect } from 'chai'
import { readConfig } from '#host/config/config.js'
import { type Host, startHost } from '#host/start-host.js'
import { giveDevAuthorities } from '../support/dev-authorities-folder.js'
import { openSocket, receivedBy } from '../support/http.js'

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

describe('a host that closes', () => {
  let folder: string
  let host: Host
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-closing-'))
    giveDevAuthorities(folder)
    host = await startHost({
      config: readConfig({ PORT: '0', MTLS_PORT: 'off', LOG_LEVEL: 'silent', DATA_DIR: folder }),
    })
  })
  afterEach(async () => {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const answers = (received: string) => received.match(/HTTP\/1\.1 200/g)?.length

  it('answers what lies unread on a connection that was kept', async () => {
    const socket = await openSocket(host.url)
    const received = receivedBy(socket)
    socket.write(REQUEST)
    await once(socket, 'data')
    // It has come before the host looks at the connection again.
    socket.write(REQUEST)
    await host.close()
    expect(answers(await received)).to.equal(2)
  })

  it('does not wait for a quiet moment that never comes', async () => {
    let isBusy = true
    const burn = () => {
      const until = performance.now() + 3
      while (performance.now() < until);
      if (isBusy) setImmediate(burn)
    }
    burn()
    try {
      // Fastify would give up after ten seconds, and leave the registry open.
      await settledWithin(8000, () => host.close())
    } finally {
      isBusy = false
    }
  })

  it('answers what came on a connection that was not accepted yet', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(host.url)))
    const received = sockets.map(receivedBy)
    for (const socket of sockets) socket.write(REQUEST)
    await host.close()
    expect((await Promise.all(received)).map(answers)).to.deep.equal(sockets.map(() => 1))
  })
})
