import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { RenewalState } from '#core/renewal/renewal-state.js'
import { timeStampRefusal } from '#dev-authorities/authority/time-stamping.js'
import { commandLine } from '#host/cli/command-line.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY } from '../../support/log-key.js'
import { DAY, presentAuthorities, testClock } from '../../support/pki/authorities.js'
import { AuthorityServer } from '../../support/pki/authority-server.js'
import { timeStamper } from '../../support/pki/tokens.js'

type Done = Parameters<RenewalState['done']>

const day = (time: number) => new Date(time).toISOString().slice(0, 10)
const proof = (endsAt: number, signatures = 2) =>
  ({ authority: 'CN=TSA', by: 'timeStamp', endsAt, because: 'certificate', signatures }) as const
const figures = (...proofs: Done[0]['proofs']): Done[0] => ({ proofs, gathered: 2, renewed: 0, batches: 1 })

describe('signed-registry doctor about renewal', () => {
  let folder: string
  let test: LoggingRegistry | undefined
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-doctor-renewal-'))
  })
  afterEach(async () => {
    await test?.registry.close()
    test = undefined
    rmSync(folder, { recursive: true, force: true })
  })

  const doctor = async (env: Record<string, string> = {}) => {
    let out = ''
    const code = await commandLine(['doctor'], {
      env: { DATA_DIR: folder, PORT: '0', MTLS_PORT: 'off', ...env },
      out(text) {
        out += text
      },
      err: () => undefined,
    })
    return { code, said: out.split('\n').filter((line) => line.slice(6).startsWith('renewal: ')) }
  }
  /** A registry whose renewal ran this long ago, and found this. */
  const ran = async (ago: number, ...found: Done) => {
    test ??= await loggingRegistry(
      `sqlite:${join(folder, 'registry.sqlite')}`,
      { key: LOG_KEY },
      { clock: testClock(), authorities: presentAuthorities() },
    )
    test.clock.time = Date.now() - ago
    await test.registry.get(RenewalState).done(...found)
    return test
  }

  it('has nothing to say before anything is registered', async () => {
    expect((await doctor()).said).to.deep.equal(['ok    renewal: nothing is registered yet'])
    expect((await doctor({ RENEWAL: 'off' })).said).to.deep.equal(['ok    renewal: off, and nothing is registered yet'])
    await ran(0, { proofs: [], gathered: 0, renewed: 0, batches: 0 }, undefined)
    expect((await doctor()).said).to.deep.equal(['ok    renewal: nothing is registered yet'])
  })

  it('tells how many signatures there are, when the first proof ends and from when on it is renewed', async () => {
    const { register } = await ran(0, { proofs: [], gathered: 0, renewed: 0, batches: 0 }, undefined)
    await register()
    expect((await doctor()).said).to.deep.equal([
      'ok    renewal: 1 signature; the first run will tell when the first proof ends',
    ])
    const end = Date.now() + 400 * DAY
    await ran(0, figures(proof(end), proof(end + DAY)), undefined)
    expect((await doctor({ RENEWAL_DAYS: '30' })).said).to.deep.equal([
      `ok    renewal: 3 signatures; the first proof ends on ${day(end)} (CN=TSA), renewed from ${day(end - 30 * DAY)} on`,
    ])
  })

  it('warns of a problem, and fails when it lasts for a day', async () => {
    const problem = { reason: 'endsSooner', text: 'It would hold until tomorrow' } as const
    await ran(DAY / 2, figures(proof(Date.now() + DAY)), problem)
    const young = await doctor()
    expect(young.said[0]).to.match(
      /^warn {2}renewal: endsSooner, for the first time 12 hours ago .*: It would hold until tomorrow; ask the authority .*RENEWAL_TSP_URL/,
    )
    await ran(0, figures(), undefined)
    await ran(2 * DAY, figures(proof(Date.now() + DAY)), problem)
    const old = await doctor()
    expect(old.said[0]).to.match(/^fail {2}renewal: endsSooner, for the first time 2 days ago/)
    expect([young.code, old.code]).to.deep.equal([0, 1])
  })

  it('fails where proofs have ended', async () => {
    await ran(0, figures(proof(0, 5), proof(Date.now() - DAY, 1)), undefined)
    const { code, said } = await doctor()
    expect([code, said[0]]).to.deep.equal([
      1,
      'fail  renewal: PROOFS HAVE ENDED: of 6 signatures nothing shows any more that they were made in time (admin renewal)',
    ])
  })

  it('warns when it has not run for days', async () => {
    const { clock } = await ran(4 * DAY, figures(proof(Date.now() + 400 * DAY)), undefined)
    expect((await doctor()).said[0]).to.equal(
      `warn  renewal: has not run since ${day(clock.time)}: is a registry running?`,
    )
  })

  it('warns when it is off while signatures are registered', async () => {
    const { register } = await ran(0, figures(proof(Date.now() + 400 * DAY)), undefined)
    await register()
    expect(await doctor({ RENEWAL: 'off' })).to.deep.equal({
      code: 0,
      said: [
        'warn  renewal: off: 3 signatures will prove nothing any more once their time-stamping authorities have ended (RENEWAL=on)',
      ],
    })
  })

  describe('asks the authority', () => {
    let server: AuthorityServer
    let other: AuthorityServer
    let env: Record<string, string>
    beforeEach(async () => {
      const make = (ocspUrl: string) => presentAuthorities({ ocspUrl })
      server = await AuthorityServer.start(make)
      other = await AuthorityServer.start(make)
      const certificates = [...server.authorities.anchors, ...server.authorities.intermediates]
      const anchors = join(folder, 'anchors.pem')
      writeFileSync(anchors, certificates.map((der) => pem('CERTIFICATE', der)).join(''))
      env = { TRUST_ANCHORS: anchors, TSP_URL: server.tspUrl, OCSP_URL: server.ocspUrl }
    })
    afterEach(async () => {
      await server.close()
      await other.close()
    })

    it('of signatures, by SHA-512', async () => {
      const { said } = await doctor(env)
      expect(said[1]).to.match(
        new RegExp(`^ok    renewal: time stamp over SHA-512: ${server.tspUrl} answers; the clocks differ by`),
      )
    })

    it('that is configured, by the first of the digests, and fails where it refuses that', async () => {
      const mine = { ...env, RENEWAL_TSP_URL: other.tspUrl, RENEWAL_DIGESTS: 'sha384,sha512' }
      expect((await doctor(mine)).said[1]).to.include(`time stamp over SHA-384: ${other.tspUrl} answers`)
      other.faults.tsp = () => timeStampRefusal('badAlg')
      const { code, said } = await doctor(mine)
      expect([code, said[1]]).to.deep.equal([
        1,
        `fail  renewal: time stamp over SHA-384: ${other.tspUrl} refuses: rejection, badAlg`,
      ])
      other.faults.tsp = 'down'
      expect((await doctor(mine)).said[1]).to.match(/^fail {2}renewal: time stamp over SHA-384: /)
    })

    it('and warns when its certificates end no later than what has to be renewed', async () => {
      const notAfter = Date.now() + 20 * DAY
      const holder = timeStamper(server.authorities, { notBefore: Date.now() - DAY, notAfter })
      server.faults.tsp = (request) =>
        server.authorities.tsa.respond(request, () => ({ signer: holder, certificates: [holder.certificate] }))
      await ran(0, figures(proof(Date.now() + 30 * DAY)), undefined)
      expect((await doctor(env)).said[2]).to.match(
        new RegExp(
          `^warn  renewal: the certificates of the authority end on ${day(notAfter)}, no later than .*RENEWAL_TSP_URL`,
        ),
      )
      await ran(0, figures(proof(Date.now() + 10 * DAY)), undefined)
      expect((await doctor(env)).said).to.have.length(2)
      await ran(0, figures(proof(Date.now() + 300 * DAY)), undefined)
      expect((await doctor(env)).said).to.have.length(2)
    })
  })
})
