import { anonymous, Ledger } from '@signed-registry/core'

import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { startTestHost } from '../../support/host.js'

describe('the figures of shares', () => {
  it('say how much strangers and all callers take of a host', async () => {
    const host = await startTestHost(openSqlite)
    const ledger = host.registry.get(Ledger)
    const taken = [ledger.take('uploads', anonymous, 1), ledger.take('uploads', { kind: 'person', iin: 'IIN1' }, 1)]
    const text = await (await fetch(`${host.url}/metrics`)).text()
    expect(text).to.include('registry_shares_taken{resource="uploads",of="strangers"} 1')
    expect(text).to.include('registry_shares_taken{resource="uploads",of="all"} 2')
    expect(text).to.include('registry_shares_waiting{resource="cards"} 0')
    for (const one of taken) one.release()
    await host.close()
  })
})
