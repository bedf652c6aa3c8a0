import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createRegistry, type Registry } from '@signed-registry/core'

import { devAuthorities } from '@signed-registry/dev-authorities'
import { type RegistryListener, registryListener } from '@signed-registry/host'
import { expect } from 'chai'
import { defaultPace } from '#host/limits/pace.js'
import { openSqlite } from '../support/databases.js'
import { openSocket, postJson, receivedBy } from '../support/http.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { trustingApi } from '../support/trusting-api.js'

describe('registryListener in somebody else’s server', () => {
  let registry: Registry
  let listener: RegistryListener
  let server: Server
  let url: string
  before(async () => {
    const plugins = [devAuthorities({ authorities: presentAuthorities() })]
    registry = await createRegistry({ database: await openSqlite(), plugins })
    // Long enough for the body of a request that a busy machine sends.
    const pace = { grace: 3000, bytesPerSecond: 2 ** 40 }
    listener = await registryListener({
      registry,
      prefix: '/registry',
      ...trustingApi,
      pace,
      errorsStatus: 'always-200',
    })
    server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' && address?.port}`
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await listener.close()
    await registry.close()
  })

  it('serves the API under its prefix, as configured', async () => {
    const { status, json } = await postJson(`${url}/registry/api`, {})
    expect([status, json.code]).to.deep.equal([200, 'signatureMissing'])
  })

  it('ends bodies that are slower than configured', async function () {
    // By default it would take longer than that.
    this.timeout(defaultPace.grace - 1000)
    const socket = await openSocket(url)
    socket.write(
      'POST /registry/api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n',
    )
    expect(await receivedBy(socket)).to.equal('')
  })
})
