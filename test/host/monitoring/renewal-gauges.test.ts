import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { RenewEvidence } from '#core/renewal/renew-evidence.js'
import { ReportRenewal } from '#core/renewal/renewal-report.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost } from '../../support/host.js'
import { postJson } from '../../support/http.js'
import { DAY, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { LongLivedAuthority } from '../../support/renewal/long-lived-authority.js'

const YEAR = 365 * DAY
const HOUR = DAY / 24

describe('the figures of renewal', () => {
  const clock = testClock()
  let tsa: LongLivedAuthority
  const started = () => {
    const authorities = testAuthorities({ clock })
    tsa = new LongLivedAuthority(authorities, clock, 3)
    const plugins = [devAuthorities({ authorities }), tsa.plugin]
    return startTestHost(openSqlite, { clock, authorities, plugins, registry: { log: 'off' } })
  }
  async function figures(url: string): Promise<Record<string, string | undefined>> {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Object.fromEntries(
      [...text.matchAll(/^registry_renewal_(?:signatures\{state=")?(\w+)(?:"\})? (.+)$/gm)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
  }

  it('say how many signatures wait, are gathered and renewed, what is due and has ended, and when the next end is', async () => {
    const host = await started()
    const renew = () => {
      tsa.refresh()
      return host.registry.get(RenewEvidence).run()
    }
    for (const text of ['one', 'two']) {
      const signature = host.authorities.person().signCms(Buffer.from(text)).toString('base64')
      await postJson(`${host.url}/api`, { signature })
    }
    const none = { due: '0', ended: '0', problem_age_seconds: '0', hashed_ratio: '1' }
    expect(await figures(host.url)).to.deep.equal({
      ...{ waiting: '2', gathered: '0', renewed: '0', next_end_seconds: 'Nan', ...none },
    })
    // Without a log they are gathered after a week.
    clock.time += 8 * DAY
    await renew()
    const { next_end_seconds: next = '', ...gathered } = await figures(host.url)
    expect(gathered).to.deep.equal({ waiting: '0', gathered: '2', renewed: '0', ...none })
    expect(Number(next) * 1000 - clock.time).to.be.within(3 * YEAR - 9 * DAY, 3 * YEAR)
    clock.time += 3 * YEAR - 60 * DAY
    tsa.isDown = true
    await renew()
    clock.time += HOUR
    expect(await figures(host.url)).to.include({ due: '2', ended: '0', gathered: '2', problem_age_seconds: '3600' })
    tsa.isDown = false
    tsa.rollOver(1)
    await renew()
    expect(await figures(host.url)).to.include({ renewed: '2', gathered: '0', due: '0', problem_age_seconds: '0' })
    clock.time += 2 * YEAR
    expect(await figures(host.url)).to.include({ due: '2', ended: '2', next_end_seconds: 'Nan' })
    await host.close()
  })

  it('say how much of a further tree is hashed', async () => {
    const host = await started()
    const report = host.registry.get(ReportRenewal)
    const { hashing: _, ...rest } = await report.report()
    report.report = async () => ({ ...rest, hashing: { batch: 1, hashed: 1, of: 4 } })
    expect(await figures(host.url)).to.include({ hashed_ratio: '0.25' })
    await host.close()
  })

  it('are none where nothing is renewed', async () => {
    const host = await startTestHost(openSqlite, { registry: { renewal: 'off' } })
    const found = Object.entries(await figures(host.url))
    expect(found.map(([name]) => name)).to.have.length(8)
    for (const [name, value] of found) expect(value, name).to.equal('Nan')
    await host.close()
  })
})
