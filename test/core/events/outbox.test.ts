import { EventListener, type Registry, type RegistryEvent } from '@signed-registry/core'
import { expect } from 'chai'
import { ContainerModule } from 'inversify'
import { Database } from '../../../core/dist/database/database.js'
import { Outbox } from '../../../core/dist/events/index.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { outboxOf } from '../../support/outbox.js'

const happening = { type: 'packageCompleted', packageId: 'A'.repeat(16) } as const

describe('the outbox', () => {
  forEachDatabase((open) => {
    let registry: Registry
    let heard: RegistryEvent[]
    let hear: (event: RegistryEvent) => void | Promise<void>
    const listener = { heard: (event: RegistryEvent) => hear(event) }
    const add = () => registry.get(Outbox).add(happening)
    beforeEach(async () => {
      heard = []
      hear = (event) => void heard.push(event)
      const plugin = {
        name: 'listener',
        module: new ContainerModule(({ bind }) => void bind(EventListener).toConstantValue(listener)),
      }
      registry = await registryWithoutAuthorities(await open(), {}, [plugin])
    })
    afterEach(() => registry.close())

    it('keeps an event under an identifier of its own', async () => {
      await add()
      await add()
      const events = await outboxOf(registry)
      expect(events).to.have.length(2)
      expect(events[0]).to.include(happening)
      expect(new Set(events.map(({ eventId }) => eventId)).size).to.equal(2)
    })

    it('tells listeners in process after the commit, with the identifier that it keeps', async () => {
      const database = registry.get(Database)
      await database.transaction(async () => {
        await add()
        expect(heard).to.have.length(0)
      })
      expect(heard).to.deep.equal(await outboxOf(registry))
    })

    it('keeps nothing and tells nobody of a transaction that failed', async () => {
      const failure = new Error('halfway')
      const failed = registry.get(Database).transaction(async () => {
        await add()
        throw failure
      })
      expect(await failed.catch((error: unknown) => error)).to.equal(failure)
      expect(heard).to.have.length(0)
      expect(await outboxOf(registry)).to.have.length(0)
    })

    it('tells once of a transaction that ran again', async () => {
      let runs = 0
      await registry.get(Database).transaction(async () => {
        runs += 1
        await add()
        if (runs === 1) throw Object.assign(new Error('lost a race'), { errno: 1213 })
      })
      expect(runs).to.equal(2)
      expect(heard).to.have.length(1)
      expect(await outboxOf(registry)).to.have.length(1)
    })

    it('is not hurt by listeners that fail', async () => {
      const warnings: string[] = []
      const warned = new Promise<void>((resolve) => {
        const note = ({ message }: Error) => {
          if (warnings.push(message) === 2) resolve(void process.off('warning', note))
        }
        process.on('warning', note)
      })
      hear = () => {
        throw new Error('at once')
      }
      await add()
      hear = () => Promise.reject(new Error('later'))
      await add()
      await warned
      expect(warnings).to.deep.equal(['An event listener failed: at once', 'An event listener failed: later'])
    })
  })
})
