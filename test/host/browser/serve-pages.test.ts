import { once } from 'node:events'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { pages } from '@signed-registry/pages'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { openSocket, sendRaw } from '../../support/http.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

describe('pages for requests that are refused before their caller is known', () => {
  let host: TestHost
  let used = 0
  before(async () => {
    const authorities = presentAuthorities()
    const plugins = [devAuthorities({ authorities }), pages({})]
    host = await startTestHost(openSqlite, { authorities, plugins, memory: { bytes: 10, used: () => used } })
  })
  after(() => host.close())

  it('are not a failure of the service when the request has no Host', async () => {
    const answer = await sendRaw(host.url, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(answer).to.match(/^HTTP\/1\.1 404 [\s\S]*text\/html/)
  })

  it('say that the service is busy when its memory is nearly used up', async () => {
    const other = await openSocket(host.url)
    other.write('POST /api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
    await once(host.app.server, 'request')
    used = 9
    let status = 200
    while (status === 200) status = (await fetch(`${host.url}/`)).status
    expect(status).to.equal(503)
    other.destroy()
  })
})
