import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { RenewEvidence } from '#core/renewal/renew-evidence.js'
import { RenewOnRequest } from '#core/renewal/renew-on-request.js'
import { runAdmin } from '#host/cli/admin/run-admin.js'
import { forEachDatabase } from '../../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../../support/log/logging-registry.js'
import { LOG_KEY } from '../../../support/log-key.js'
import { DAY, testAuthorities, testClock } from '../../../support/pki/authorities.js'
import { LongLivedAuthority } from '../../../support/renewal/long-lived-authority.js'

const YEAR = 365 * DAY
const HOUR = DAY / 24

describe('signed-registry admin renewal', () => {
  forEachDatabase((open) => {
    let folder: string
    let database: string
    let test: LoggingRegistry
    let tsa: LongLivedAuthority
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-admin-renewal-'))
      database = await open()
      // The command has the time of this machine: by then the first authority has a month left.
      const clock = testClock(Date.now() - 2 * YEAR + 30 * DAY)
      const authorities = testAuthorities({ clock })
      tsa = new LongLivedAuthority(authorities, clock, 2)
      test = await loggingRegistry(database, { key: LOG_KEY }, { clock, authorities, plugins: [tsa.plugin] })
    })
    afterEach(async () => {
      await test.registry.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const run = async (line: string, env: Record<string, string> = {}) => {
      const said = { out: '', err: '' }
      const code = await runAdmin(line.split(' '), {
        env: { DATABASE_URL: database, DATA_DIR: folder, ...env },
        out(text) {
          said.out += text
        },
        err(text) {
          said.err += text
        },
      })
      return { code, ...said }
    }
    const renew = () => {
      tsa.refresh()
      return test.registry.get(RenewEvidence).run()
    }
    async function registered(count: number) {
      for (let n = 0; n < count; n += 1) await test.register()
      await test.integrate()
      test.clock.time += 3 * HOUR
      tsa.refresh()
      await test.integrate()
    }

    it('tells what waits, what is gathered and renewed, and what ends when', async () => {
      await registered(2)
      expect((await run('renewal')).out).to.match(
        /^Renewal is on: proofs are renewed 90 days before they end\.\n {2}waiting {5}2 signatures in no batch yet\n/,
      )
      await renew()
      const { code, out } = await run('renewal')
      expect(code).to.equal(0)
      expect(out).to.include(
        '  gathered    2 signatures in 1 batch\n  renewed     0 signatures under evidence records\n',
      )
      expect(out).to.include('  due         2 signatures with a proof that ends within 90 days\n')
      expect(out).to.match(
        /^ {2}next end {4}[\d-]{10}: 2 signatures by their own time stamps of .*TSA OF .* \(a certificate ends\)$/m,
      )
      expect((await run('renewal', { RENEWAL_DAYS: '7' })).out).to.include('  due         0 signatures')
      test.clock.time = Date.now()
      tsa.rollOver(3)
      await renew()
      const after = (await run('renewal')).out
      expect(after).to.include('  renewed     2 signatures under').and.include('  due         0 signatures')
      expect(after).to.match(/^ {2}next end {4}[\d-]{10}: 2 signatures by the time stamp of a batch of .*TSA/m)
      expect(after).to.match(/^ {2}last run {4}\d+ \w+ ago /m)
    })

    it('prints the report as JSON', async () => {
      await registered(1)
      await renew()
      const report = JSON.parse((await run('renewal --json')).out)
      expect(report).to.deep.include({ isOn: true, waiting: 0, gathered: 1, renewed: 0, batches: 1, due: 1, ended: 0 })
    })

    it('tells what keeps the registry from renewing, since when, and what to do', async () => {
      await registered(1)
      test.clock.time = Date.now() - 3 * DAY
      tsa.isDown = true
      await renew()
      const { out } = await run('renewal')
      expect(out).to.match(
        /^ {2}problem {5}authority, for the first time 3 days ago \(.*\): The time-stamping authority gave/m,
      )
      expect(out).to.match(/^ {2}to do {7}"signed-registry doctor" asks the authority; .*RENEWAL_TSP_URL/m)
    })

    it('asks a running registry to renew what is not due, too', async () => {
      await registered(1)
      tsa.rollOver(5)
      const { code, out } = await run('renew')
      expect(code).to.equal(0)
      expect(out).to.equal(
        'Everything is to be renewed: a running registry begins within a minute.\nWatch it by "signed-registry admin renewal".\n',
      )
      expect((await run('renewal')).out).to.match(
        /^ {2}asked for {3}everything is to be renewed, as was asked \d+ \w+ ago/m,
      )
      tsa.refresh()
      await test.registry.get(RenewOnRequest).run()
      const after = (await run('renewal')).out
      expect(after).to.include('  renewed     1 signature under').and.not.include('asked for')
      expect(JSON.parse((await run('renew --json')).out)).to.have.keys('requestedAt')
    })

    it('says loudly that it is off, and asks for nothing then', async () => {
      await registered(1)
      expect((await run('renewal', { RENEWAL: 'off' })).out).to.match(/^RENEWAL IS OFF \(RENEWAL=off\): /)
      const { code, err } = await run('renew', { RENEWAL: 'off' })
      expect([code, err]).to.deep.equal([1, 'Renewal is off (RENEWAL=off)\n'])
      expect((await run('renewal')).out).to.not.include('asked for')
    })

    for (const line of ['renewal x', 'renew now', 'renewal --yes', 'renew --into here'])
      it(`tells how it is used instead of: ${line}`, async () => {
        expect(await run(line)).to.include({ code: 2, out: '' })
      })

    it('prints help', async () => {
      expect((await run('renew --help')).out).to.include('renew everything now')
    })

    it('lists each signature whose proof has ended', async () => {
      await registered(2)
      test.clock.time += 2 * YEAR + DAY
      await renew()
      const { code, out } = await run('renewal --lost')
      expect(code).to.equal(0)
      expect(out.trim().split('\n')).to.have.length(2)
      expect(out).to.match(/^document \w{16}, signature \d+: a certificate ends \(found /)
      const [first = '{}'] = (await run('renewal --lost --json')).out.split('\n')
      expect(JSON.parse(first)).to.include({ because: 'certificate', foundAt: test.clock.time })
      expect(await run('renew --lost')).to.include({ code: 2 })
    })
  })
})
