import {
  Deliveries,
  EventObserver,
  EventSubscriber,
  type NewDelivery,
  provideValue,
  type Registry,
  type RegistryEvent,
} from '@signed-registry/core'

import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { EventPublisher } from '#core/events/index.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'

const happening = { type: 'packageCompleted', packageId: 'A'.repeat(16) } as const

describe('the publisher of events', () => {
  forEachDatabase((open) => {
    let registry: Registry
    let heard: RegistryEvent[]
    let errors: unknown[]
    let hear: (event: RegistryEvent) => void | Promise<void>
    let cause: (events: readonly RegistryEvent[]) => readonly NewDelivery[]
    const publish = () => registry.get(EventPublisher).publish(happening)
    const deliveries = () => registry.get(Deliveries).page({ owner: 'owner', channel: 'test' }, 100)
    const delivery = { channel: 'test', target: 'target', owner: 'owner' }
    beforeEach(async () => {
      heard = []
      errors = []
      hear = (event) => void heard.push(event)
      cause = (events) => events.map(({ eventId }) => ({ ...delivery, eventId, payload: { eventId } }))
      const plugin = {
        name: 'test',
        provides: [
          provideValue(EventObserver, { heard: (event) => hear(event) }),
          provideValue(EventSubscriber, { deliveriesFor: async (events) => cause(events) }),
        ],
      }
      const logger = {
        info: () => undefined,
        warn: () => undefined,
        error: (_message: string, facts?: { error?: unknown }) => void errors.push(facts?.error),
      }
      registry = await registryWithoutAuthorities(await open(), { logger }, [plugin])
    })
    afterEach(() => registry.close())

    it('stores the deliveries of subscribers, each event with an identifier of its own', async () => {
      await publish()
      await publish()
      const kept = await deliveries()
      expect(kept).to.have.length(2)
      expect(new Set(kept.map(({ eventId }) => eventId)).size).to.equal(2)
      expect(kept.map(({ payload }) => payload)).to.deep.equal(kept.map(({ eventId }) => ({ eventId })))
      expect(kept[0]).to.include({ ...delivery, state: 'waiting', attempts: 0, failures: 0 })
    })

    it('calls listeners in process after the commit, with the identifier in the deliveries', async () => {
      await registry.get(Database).transaction(async () => {
        await publish()
        expect(heard).to.have.length(0)
      })
      expect(heard.map(({ eventId }) => eventId)).to.deep.equal((await deliveries()).map(({ eventId }) => eventId))
    })

    it('stores nothing and calls nobody when the transaction fails', async () => {
      const failure = new Error('halfway')
      const failed = registry.get(Database).transaction(async () => {
        await publish()
        throw failure
      })
      expect(await failed.catch((error: unknown) => error)).to.equal(failure)
      expect(heard).to.have.length(0)
      expect(await deliveries()).to.have.length(0)
    })

    it('rolls back when a subscriber fails', async () => {
      cause = () => {
        throw new Error('cannot say')
      }
      const failed = await publish().then(
        () => undefined,
        (error: Error) => error.message,
      )
      expect(failed).to.equal('cannot say')
      expect(heard).to.have.length(0)
    })

    it('publishes once when a transaction is retried', async () => {
      let runs = 0
      await registry.get(Database).transaction(async () => {
        runs += 1
        await publish()
        if (runs === 1) throw Object.assign(new Error('lost a race'), { errno: 1213 })
      })
      expect(runs).to.equal(2)
      expect(heard).to.have.length(1)
      expect(await deliveries()).to.have.length(1)
    })

    it('survives listeners that fail, and logs it', async () => {
      const [atOnce, later] = [new Error('at once'), new Error('later')]
      hear = () => {
        throw atOnce
      }
      await publish()
      hear = () => Promise.reject(later)
      await publish()
      await new Promise((resolve) => setImmediate(resolve))
      expect(errors).to.deep.equal([atOnce, later])
    })
  })
})
