import { expect } from 'chai'
import { clientCertificate } from '../../support/client-certificate.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost, type TestHostOptions } from '../../support/host.js'
import { request } from '../../support/http.js'
import { getAs, logInOverHttp } from '../../support/login-over-http.js'
import { listCertificates } from '../../support/systems.js'

const listed = clientCertificate()
const header = `:${listed.der.toString('base64')}:`

describe('a certificate in a header', () => {
  let host: TestHost
  const start = async (proxies?: TestHostOptions['proxies']) => {
    host = await startTestHost(openSqlite, proxies === undefined ? {} : { proxies })
    await listCertificates(host.registry, [listed])
  }
  afterEach(() => host.close())
  const preregister = (headers: Record<string, string>) =>
    request(`${host.url}/api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"title":"a"}',
    })

  it('means nothing by default: header spoofing', async () => {
    await start()
    const spoofed = ['client-cert', 'x-client-cert', 'ssl-client-cert', 'x-ssl-client-cert', 'x-forwarded-client-cert']
    for (const name of spoofed) expect((await preregister({ [name]: header })).status).to.equal(400)
  })

  it('means nothing from an address that is no trusted proxy: header spoofing', async () => {
    await start({ trusted: ['10.0.0.0/8'], certificateHeader: 'client-cert' })
    expect((await preregister({ 'client-cert': header })).status).to.equal(400)
    expect((await preregister({ 'client-cert': header, 'x-forwarded-for': '10.0.0.1' })).status).to.equal(400)
    const cookie = await logInOverHttp(host.url, host.authorities.person())
    const { json } = await getAs<{ events: { ip: string }[] }>(`${host.url}/api/authLog`, cookie)
    expect(json.events[0]?.ip).to.equal('127.0.0.1')
  })

  it('of a trusted proxy names the system, looked up for each request', async () => {
    await start({ trusted: ['127.0.0.1'], certificateHeader: 'client-cert' })
    expect((await preregister({ 'client-cert': header })).status).to.equal(200)
    expect((await preregister({ 'x-client-cert': header })).status).to.equal(400)
    await listCertificates(host.registry, [{ ...listed, disabled: true }])
    expect((await preregister({ 'client-cert': header })).json).to.include({
      message: 'TLS certificate used for authentication was disabled',
    })
  })

  it('may be PEM with the escapes of URLs, as nginx passes it on', async () => {
    await start({ trusted: ['127.0.0.1'], certificateHeader: 'client-cert' })
    expect((await preregister({ 'client-cert': encodeURIComponent(listed.pem) })).status).to.equal(200)
  })

  it('is refused when it is malformed or doubled', async () => {
    await start({ trusted: ['127.0.0.1'], certificateHeader: 'client-cert' })
    for (const value of ['', 'x', listed.der.toString('base64'), `${header}, ${header}`]) {
      expect((await preregister({ 'client-cert': value })).json, value).to.include({
        message: 'Invalid HTTP request headers',
      })
    }
    const rubbish = await preregister({ 'client-cert': ':AAAA:' })
    expect(rubbish.json).to.include({ code: 'tlsCertificateNotListed' })
  })

  it('makes cookies mean nothing beside it', async () => {
    await start({ trusted: ['127.0.0.1'], certificateHeader: 'client-cert' })
    const cookie = await logInOverHttp(host.url, host.authorities.person())
    const answer = await request(`${host.url}/api/settings`, { headers: { cookie, 'client-cert': header } })
    expect(answer.status).to.equal(403)
  })

  it('leaves the address of the caller to the proxy', async () => {
    await start({ trusted: ['127.0.0.1'], certificateHeader: undefined })
    const cookie = await logInOverHttp(host.url, host.authorities.person({ iin: '123456789011' }))
    expect((await preregister({ 'client-cert': header })).status).to.equal(400)
    const { json } = await getAs<{ events: { ip: string }[] }>(`${host.url}/api/authLog`, cookie)
    expect(json.events[0]?.ip).to.equal('127.0.0.1')
  })
})
