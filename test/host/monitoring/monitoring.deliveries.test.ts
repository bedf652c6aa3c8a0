import { Deliveries, type Delivery, DeliveryWorkers } from '@signed-registry/core'

import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { GetWebhooks } from '@signed-registry/core/webhooks'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { registryLogger } from '#host/monitoring/logging.js'
import { buildServer } from '#host/server.js'
import { headCaller } from '../../support/core-registry.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost } from '../../support/host.js'
import { until } from '../../support/until.js'

describe('what operators see of deliveries', () => {
  it('is in the metrics: what is to be done, for how long, and what came of attempts', async () => {
    const host = await startTestHost(openSqlite)
    try {
      const { registry } = host
      const head = headCaller()
      const settings = { webhooks: { urls: ['https://receiver.example/'] } }
      await registry.get(SaveOrganizationSettings).execute(head, { request: settings })
      const webhookId = (await registry.get(GetWebhooks).execute(head)).webhooks[0]?.webhookId ?? ''
      const delivery = {
        channel: 'webhook',
        target: webhookId,
        owner: head.bin,
        payload: { webhookId: 'none', body: {} },
      }
      await registry.get(Database).transaction(() => registry.get(Deliveries).add([delivery, delivery]))
      const metrics = async () => (await fetch(`${host.url}/metrics`)).text()
      expect(await metrics()).to.include('registry_deliveries_pending{channel="webhook"} 2')

      registry.get(DeliveryWorkers).start()
      const kept = async (): Promise<Delivery[]> =>
        registry.get(Deliveries).page({ owner: head.bin, channel: 'webhook', state: 'waiting' }, 10)
      await until(async () => (await kept()).filter(({ attempts }) => attempts > 0).length === 2)
      const after = await metrics()
      expect(after).to.include('registry_deliveries_pending{channel="webhook"} 2')
      expect(after).to.include('registry_delivery_attempts_total{channel="webhook",outcome="waiting"} 2')
      expect(after).to.match(/registry_deliveries_oldest_seconds\{channel="webhook"\} [\d.e-]+/)
      expect(after).to.include('registry_deliveries_failed{channel="webhook"} 0')
    } finally {
      await host.close()
    }
  })

  it('is in the log of the host: warnings and errors of the registry, errors without what drivers hang on them', () => {
    const lines: string[] = []
    const logStream = { write: (line: string) => void lines.push(line) }
    const app = buildServer({ logLevel: 'info', errorsStatus: 'semantic', logStream })
    const logger = registryLogger(() => app.log)
    logger.warn('A delivery failed', { channel: 'webhook' })
    logger.error('A task failed', { error: Object.assign(new Error('lost'), { bindings: ['secret'] }) })
    const [warning, error] = lines.map((line) => JSON.parse(line))
    expect(warning).to.include({ level: 40, msg: 'A delivery failed', channel: 'webhook' })
    expect(error).to.deep.include({ level: 50, msg: 'A task failed' })
    expect(error.err).to.include({ type: 'Error', message: 'lost' })
    expect(lines.join()).not.to.include('secret')
  })
})
