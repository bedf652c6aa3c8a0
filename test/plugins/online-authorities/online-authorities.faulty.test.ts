import { onlineAuthorities } from '@signed-registry/online-authorities'
import { expect } from 'chai'
import { testAuthorities } from '../../support/pki/authorities.js'
import { AuthorityServer, type Fault } from '../../support/pki/authority-server.js'
import { type Answer, replayed } from '../../support/pki/hostile-authorities.js'
import { type TestVerifier, testVerifier } from '../../support/pki/verifier.js'
import { rejectionOf } from '../../support/refusal.js'

const DATA = Buffer.from('document')
const FAULTS: readonly Exclude<Fault, Answer>[] = [
  'down',
  'endless',
  'failing',
  'rubbish',
  'wrongContentType',
  'redirect',
]

describe('authorities over HTTP', () => {
  let server: AuthorityServer
  let verifier: TestVerifier
  /** Waits for nobody. */
  let hasty: TestVerifier

  before(async () => {
    server = await AuthorityServer.start((ocspUrl) => testAuthorities({ ocspUrl }))
    const { anchors, intermediates } = server.authorities
    const options = {
      tspUrl: server.tspUrl,
      ocspAllowedHosts: [new URL(server.ocspUrl).host],
      trustAnchors: [...anchors, ...intermediates],
      timeoutMs: 3000,
    }
    // Keys are made now, so that no exchange below has to wait for them.
    server.authorities.person().signCms(DATA, { timeStamp: true, ocsp: true })
    verifier = testVerifier(onlineAuthorities(options))
    hasty = testVerifier(onlineAuthorities({ ...options, timeoutMs: 100 }))
  })
  after(async () => {
    await verifier.close()
    await hasty.close()
    await server.close()
  })

  const verify = () => verifier.verify(server.authorities.person().signCms(DATA))

  for (const service of ['tsp', 'ocsp'] as const) {
    for (const fault of FAULTS) {
      it(`are reported when ${service} is ${fault}, and the same request works once it recovers`, async () => {
        server.faults[service] = fault
        const error = await rejectionOf(verify())
        server.faults[service] = undefined
        expect(error).include({ code: `${service}ServerProblem`, kind: 'unavailable' })
        await verify()
      })
    }

    it(`are reported when ${service} is silent, and the same request works once it recovers`, async () => {
      // With a time stamp inside only the silent responder is asked.
      const cms = server.authorities.person().signCms(DATA, { timeStamp: service === 'ocsp' })
      server.faults[service] = 'silent'
      const error = await rejectionOf(hasty.verify(cms))
      server.faults[service] = undefined
      expect(error).include({ code: `${service}ServerProblem`, kind: 'unavailable' })
      await verifier.verify(cms)
    })

    it(`are reported when ${service} replays an earlier answer`, async () => {
      const { tsa, ocsp } = server.authorities
      server.faults[service] = replayed((request) => (service === 'tsp' ? tsa : ocsp).respond(request))
      await verify()
      expect(await rejectionOf(verify())).include({ code: `${service}ServerProblem`, kind: 'unavailable' })
      server.faults[service] = undefined
    })
  }
})
