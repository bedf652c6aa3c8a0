import { onlineAuthorities } from '@signed-registry/online-authorities'
import { expect } from 'chai'
import { RepeatChecks } from '#core/status/repeat-checks.js'
import { forEachDatabase } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson, request } from '../../support/http.js'
import { MINUTE, NOW, presentAuthorities, testClock } from '../../support/pki/authorities.js'
import { AuthorityServer } from '../../support/pki/authority-server.js'

describe('the figures of checks', () => {
  let server: AuthorityServer
  before(async () => {
    server = await AuthorityServer.start((ocspUrl) => presentAuthorities({ ocspUrl }))
  })
  afterEach(() => Object.assign(server.faults, { tsp: undefined, ocsp: undefined }))
  after(() => server.close())

  forEachDatabase((open) => {
    const clock = testClock()
    const started = (database: string, limits = {}) => {
      const trustAnchors = [...server.authorities.anchors, ...server.authorities.intermediates]
      const { tspUrl, ocspUrl } = server
      const plugins = [onlineAuthorities({ tspUrl, ocspUrl, trustAnchors })]
      return startTestHost(async () => database, { clock, plugins, registry: { limits } })
    }
    const repeated = ({ registry }: TestHost) => registry.get(RepeatChecks).run()
    async function figures({ url }: TestHost): Promise<Record<string, string | undefined>> {
      const text = await (await fetch(`${url}/metrics`)).text()
      const found = [...text.matchAll(/^registry_check_(ok|good_seconds)\{check="([a-z ]+)"\} (.+)$/gm)]
      return Object.fromEntries(found.map(([, name, check, value]) => [`${check} ${name}`, value]))
    }
    beforeEach(() => {
      clock.time = NOW
    })

    it('say which authority fails before anybody registers, at each host, and take none out of service', async () => {
      const database = await open()
      const [one, other] = [await started(database), await started(database)]
      await repeated(one)
      const seconds = String(NOW / 1000)
      const well = {
        ...{ 'trust ok': '1', 'time stamps ok': '1', 'status ok': '1' },
        ...{ 'trust good_seconds': seconds, 'time stamps good_seconds': seconds, 'status good_seconds': seconds },
      }
      expect([await figures(one), await figures(other)]).to.deep.equal([well, well])
      server.faults.tsp = 'down'
      clock.time += 10 * MINUTE
      await repeated(other)
      const ill = { 'time stamps ok': '0', 'time stamps good_seconds': seconds, 'status ok': '1' }
      for (const host of [one, other]) {
        expect(await figures(host)).to.include(ill)
        expect(await request(`${host.url}/readyz`)).to.have.property('status', 200)
      }
      server.faults.tsp = undefined
      clock.time += MINUTE
      await repeated(one)
      expect(await figures(other)).to.include({ 'time stamps ok': '1' })
      const { json } = await request(`${one.url}/api/externalServicesStats`)
      expect(json).to.deep.equal([{ protocol: 'tsp', url: server.tspUrl, status: 'white' }])
      await one.close()
      await other.close()
    })

    it('ask no authority that registrations have just used', async () => {
      clock.time = Date.now()
      const host = await started(await open())
      const signature = server.authorities.person().signCms(Buffer.from('document')).toString('base64')
      expect(await postJson(`${host.url}/api`, { signature })).to.have.property('status', 200)
      const before = { ...server.requests }
      await repeated(host)
      expect(server.requests).to.deep.equal(before)
      expect(await figures(host)).to.include({ 'time stamps ok': '1', 'status ok': '1' })
      // Ten whole minutes after that of the registration.
      clock.time += 11 * MINUTE
      await repeated(host)
      expect(server.requests).to.deep.equal({ tsp: before.tsp + 1, ocsp: before.ocsp + 1 })
      await host.close()
    })

    it('are none, and no authority is asked, where that is off', async () => {
      const host = await started(await open(), { checkEveryMs: 0 })
      const before = { ...server.requests }
      await repeated(host)
      expect([await figures(host), server.requests]).to.deep.equal([{}, before])
      await host.close()
    })
  })
})
