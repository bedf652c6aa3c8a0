import { expect } from 'chai'
import { BatchStore } from '#core/renewal/batch-store.js'
import { RenewEvidence } from '#core/renewal/renew-evidence.js'
import { forEachDatabase } from '../../support/databases.js'
import { DAY } from '../../support/pki/authorities.js'
import { type RenewingRegistry, renewingRegistry } from '../../support/renewal/renewing-registry.js'

const YEAR = 365 * DAY

describe('batches of signatures', () => {
  forEachDatabase((open) => {
    let test: RenewingRegistry
    beforeEach(async () => {
      test = await renewingRegistry(await open(), { renewal: { batchSize: 4 } })
    })
    afterEach(() => test.registry.close())

    const batches = async () =>
      (await test.registry.get(BatchStore).all()).map(({ members, sealedAt }) => [members, sealedAt !== undefined])

    it('take signatures in their order, so many each, and no one that is too young', async () => {
      await test.documents(6)
      await test.register()
      await test.renew()
      expect(await batches()).to.deep.equal([
        [4, true],
        [2, false],
      ])
      expect((await test.report()).waiting).to.equal(1)
    })

    it('go on where they were, wherever a run is broken off, and ask for no time stamp twice', async () => {
      const documents = await test.documents(9)
      test.clock.time += 3 * YEAR - 60 * DAY
      test.tsa.rollOver(4)
      const { asked } = test.tsa
      for (let steps = 0; steps < 12; steps += 1) {
        let left = steps
        test.tsa.refresh()
        await test.registry.get(RenewEvidence).renew({ requestedAt: undefined, isStopped: () => left-- <= 0 })
      }
      await test.renew()
      expect(test.tsa.asked - asked).to.equal(2)
      // The one that is not full waits a week for more, since two batches a week are too many.
      test.clock.time += 8 * DAY
      await test.renew()
      expect(test.tsa.asked - asked).to.equal(3)
      for (const one of documents)
        expect((await test.verify(one)).proof).to.deep.include({ by: 'evidenceRecord', stamps: 1, ended: 0 })
    })

    it('keep all or nothing of what a failing database has taken of them', async () => {
      const documents = await test.documents(5)
      test.clock.time += 3 * YEAR - 60 * DAY
      test.tsa.rollOver(4)
      const store = test.registry.get(BatchStore)
      for (const step of ['addMembers', 'addHashes', 'addBlock', 'close', 'addStamp'] as const) {
        const work = store[step].bind(store)
        Object.assign(store, {
          [step]: async () => {
            throw new Error('The disk is full')
          },
        })
        await test.renew().catch((error: unknown) => expect(String(error)).to.include('The disk is full'))
        Object.assign(store, { [step]: work })
      }
      await test.renew()
      test.clock.time += 8 * DAY
      await test.renew()
      for (const one of documents)
        expect((await test.verify(one)).proof).to.deep.include({ by: 'evidenceRecord', stamps: 1, ended: 0 })
    })
  })
})
