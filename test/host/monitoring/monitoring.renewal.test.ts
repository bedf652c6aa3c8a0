import { expect } from 'chai'
import { RenewalState } from '#core/renewal/renewal-state.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost } from '../../support/host.js'
import { request } from '../../support/http.js'
import { DAY, testAuthorities, testClock } from '../../support/pki/authorities.js'

describe('renewal that needs somebody', () => {
  const clock = testClock()
  const none = { proofs: [], gathered: 0, renewed: 0, batches: 0 }
  const proof = { authority: 'CN=TSA', by: 'timeStamp', because: 'certificate', signatures: 1 } as const

  it('is told by /readyz, which sends requests all the same', async () => {
    const host = await startTestHost(openSqlite, { clock, authorities: testAuthorities({ clock }) })
    const state = host.registry.get(RenewalState)
    const told = async () => {
      const { status, json } = await request(`${host.url}/readyz`)
      return [status, json.renewal]
    }
    expect(await told()).to.deep.equal([200, 'ok'])
    await state.done(none, { reason: 'authority', text: 'It is down' })
    expect(await told()).to.deep.equal([200, 'ok'])
    clock.time += DAY
    expect(await told()).to.deep.equal([200, 'stale'])
    await state.done({ ...none, proofs: [{ ...proof, endsAt: clock.time + 46 * DAY }] }, undefined)
    expect(await told()).to.deep.equal([200, 'ok'])
    clock.time += 2 * DAY
    expect(await told()).to.deep.equal([200, 'stale'])
    await host.close()
  })

  it('is not told where nothing is renewed', async () => {
    const host = await startTestHost(openSqlite, { registry: { renewal: 'off' } })
    await host.registry.get(RenewalState).done({ ...none, proofs: [{ ...proof, endsAt: 0 }] }, undefined)
    expect((await request(`${host.url}/readyz`)).json.renewal).to.equal('ok')
    await host.close()
  })
})
