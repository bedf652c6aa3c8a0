import { type Check, defaultSignaturePolicy, type Finding } from '@signed-registry/core'
import { checkContract } from '@signed-registry/core/contracts'
import { askOcsp, askTsp, onlineAuthorities } from '@signed-registry/online-authorities'
import { defaultAlgorithmPolicy } from '@signed-registry/verifier'
import { expect } from 'chai'
import { checkOf } from '../../support/check-of.js'
import { freePort } from '../../support/free-port.js'
import { hold } from '../../support/hold.js'
import { foreignAuthorities, presentAuthorities } from '../../support/pki/authorities.js'
import { AuthorityServer, type Fault } from '../../support/pki/authority-server.js'
import { type Answer, hostileOcsp, hostileTimeStamping } from '../../support/pki/hostile-authorities.js'

const FAULTS: readonly Exclude<Fault, Answer>[] = [
  'down',
  'silent',
  'endless',
  'failing',
  'rubbish',
  'wrongContentType',
  'redirect',
]
/** What a responder may say of a CA that it does not know, or that was revoked, and work all the same. */
const TOLD_AND_WELL: Readonly<Record<string, Finding['state']>> = {
  unknown: 'ok',
  'signed by the responder of another CA': 'ok',
  revoked: 'warn',
  'good and revoked': 'warn',
  unauthorized: 'warn',
}

describe('the checks of authorities', () => {
  let server: AuthorityServer
  let nowhere: string
  const options = () => ({
    tspUrl: server.tspUrl,
    ocspUrl: server.ocspUrl,
    trustAnchors: [...server.authorities.anchors, ...server.authorities.intermediates],
    // Keys of authorities may be made while they are asked.
    timeoutMs: 60_000,
  })
  const check = (name: string, more = {}): Check => checkOf(onlineAuthorities({ ...options(), ...more }), name)
  const found = async (name: string, more = {}): Promise<readonly Finding[]> =>
    [await check(name, more).check(AbortSignal.timeout(60_000))].flat()
  const stateOf = async (name: string, more = {}) => (await found(name, more)).map(({ state }) => state)

  before(async () => {
    server = await AuthorityServer.start((ocspUrl) => presentAuthorities({ ocspUrl }))
    nowhere = `http://user:hush-hush@127.0.0.1:${await freePort()}/`
  })
  afterEach(() => Object.assign(server.faults, { tsp: undefined, ocsp: undefined }))
  after(() => server.close())

  describe('of time stamps', () => {
    hold(
      checkContract({
        well: () => check('time stamps'),
        ill: () => check('time stamps', { tspUrl: nowhere }),
        secret: 'hush-hush',
      }),
    )
  })

  describe('of certificate status', () => {
    hold(
      checkContract({
        well: () => check('status'),
        ill: () => check('status', { ocspUrl: nowhere }),
        secret: 'hush-hush',
      }),
    )
  })

  for (const [name, service] of [
    ['time stamps', 'tsp'],
    ['status', 'ocsp'],
  ] as const) {
    for (const fault of FAULTS) {
      it(`fail when ${service} is ${fault}, and are good once it recovers`, async () => {
        const more = fault === 'silent' ? { timeoutMs: 100 } : {}
        server.faults[service] = fault
        expect(await stateOf(name, more)).to.deep.equal(['fail'])
        server.faults[service] = undefined
        expect(await stateOf(name)).to.deep.equal(['ok'])
      })
    }
  }

  it('end with their signal, however long an authority may keep silent', async () => {
    server.faults.tsp = 'silent'
    server.faults.ocsp = 'silent'
    const aborted = new AbortController()
    const waiting = ['time stamps', 'status'].map((name) => check(name, { timeoutMs: 100_000 }).check(aborted.signal))
    aborted.abort()
    const states = (await Promise.all(waiting)).flat().map(({ state }) => state)
    expect(states).to.deep.equal(['fail', 'fail'])
  })

  it('fail for time stamps that registrations would refuse', async () => {
    for (const [title, answer] of hostileTimeStamping(server.authorities)) {
      server.faults.tsp = answer
      // The first answer of one that replays them is an honest one.
      if (title === 'replayed') await found('time stamps')
      expect(await stateOf('time stamps'), title).to.deep.equal(['fail'])
    }
  })

  it('fail for answers of responders that prove nothing', async () => {
    for (const [title, answer] of hostileOcsp(server.authorities, server.authorities.person())) {
      server.faults.ocsp = answer
      if (title === 'replayed') await found('status')
      expect(await stateOf('status'), title).to.deep.equal([TOLD_AND_WELL[title] ?? 'fail'])
    }
  })

  it('fail for answers that are signed by somebody whose certificate lies among those of authorities', async () => {
    const person = server.authorities.person()
    const trustAnchors = [...options().trustAnchors, person.certificate]
    server.faults.ocsp = (asked) =>
      server.authorities.ocsp.respond(asked, () => ({ responder: person, certificates: [person.certificate] }))
    expect(await stateOf('status', { trustAnchors })).to.deep.equal(['fail'])
  })

  it('ask by the key that signed a CA, also beside an older key of the same name', async () => {
    const { anchors, intermediates } = server.authorities
    // Those of others have the same names.
    const trustAnchors = [...foreignAuthorities().anchors, ...anchors, ...intermediates]
    expect(await found('status', { trustAnchors })).to.deep.equal([
      { state: 'ok', text: `${server.ocspUrl} answers (good)` },
    ])
  })

  it('ask by the certificate of a CA that holds, also beside one of the same key that has ended', async () => {
    const { anchors, intermediates } = server.authorities
    const ended = anchors.map((anchor) => {
      const changed = Buffer.from(anchor)
      expect(changed.write('210101000000Z', changed.indexOf('450101000000Z'))).to.equal(13)
      return changed
    })
    for (const trustAnchors of [
      [...ended, ...anchors, ...intermediates],
      [...anchors, ...intermediates, ...ended],
    ])
      expect(await stateOf('status', { trustAnchors })).to.deep.equal(['ok'])
  })

  it('fail for algorithms that the policy of the registry has ended', async () => {
    const ended = { ...defaultAlgorithmPolicy, digestsTrustedUntil: { '2.16.840.1.101.3.4.2.1': Date.now() } }
    const policy = { ...defaultSignaturePolicy, algorithms: ended }
    const found = [await askTsp(options(), undefined, { policy }), ...(await askOcsp(options(), { policy }))]
    expect(found.map(({ state }) => state)).to.deep.equal(['fail', 'fail'])
  })

  it('ask for the policy and by the digest that registrations ask for', async () => {
    expect(await stateOf('time stamps', { tspDigest: '2.16.840.1.101.3.4.2.3' })).to.deep.equal(['ok'])
    expect(await stateOf('time stamps', { tspPolicy: '1.2.3.4.5' })).to.deep.equal(['fail'])
  })

  it('ask the responders that authorities name, where they may be asked, and otherwise nobody', async () => {
    const { ocspUrl: _, ...rest } = options()
    // Files of trust may hold any certificate; the CAs of tests name no responder.
    const named = { ...rest, trustAnchors: [...rest.trustAnchors, server.authorities.person().certificate] }
    const before = server.requests.ocsp
    const asksNamed = onlineAuthorities({ ...named, ocspAllowedHosts: [new URL(server.ocspUrl).host] })
    const findings = [await checkOf(asksNamed, 'status').check(AbortSignal.timeout(60_000))].flat()
    expect(findings.map(({ state }) => state)).to.deep.equal(['ok'])
    expect(server.requests.ocsp).to.equal(before + 1)
    expect(await checkOf(onlineAuthorities(named), 'status').check(AbortSignal.timeout(60_000))).to.deep.equal([])
    expect(server.requests.ocsp).to.equal(before + 1)
  })
})
