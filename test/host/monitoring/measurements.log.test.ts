import { expect } from 'chai'
import { LogWorker } from '#core/log/log-worker.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost } from '../../support/host.js'
import { postJson } from '../../support/http.js'
import { LOG_KEY } from '../../support/log-key.js'

describe('the figures of the log', () => {
  it('say how many entries it has, how many wait, and how old its checkpoint and time stamp are', async () => {
    const host = await startTestHost(openSqlite, { registry: { log: { key: LOG_KEY } } })
    const figure = async (name: string) => {
      const text = await (await fetch(`${host.url}/metrics`)).text()
      return new RegExp(`^registry_log_${name} (.+)$`, 'm').exec(text)?.[1]
    }
    const register = async (text: string) => {
      const signature = host.authorities.person().signCms(Buffer.from(text)).toString('base64')
      await postJson(`${host.url}/api`, { signature })
    }
    expect([await figure('entries'), await figure('stamp_age_seconds')]).to.deep.equal(['Nan', 'Nan'])
    await register('one')
    await host.registry.get(LogWorker).run()
    await register('two')
    // The key of statements is an entry, too, and the one about the time stamp waits.
    expect([await figure('entries'), await figure('pending')]).to.deep.equal(['2', '2'])
    for (const name of ['checkpoint_age_seconds', 'stamp_age_seconds'])
      expect(Number(await figure(name)), name).to.be.within(0, 3600)
    await host.close()
  })

  it('are none where no log is kept', async () => {
    const host = await startTestHost(openSqlite, { registry: { log: 'off' } })
    expect(await (await fetch(`${host.url}/metrics`)).text()).to.match(/^registry_log_entries Nan$/m)
    await host.close()
  })
})
