import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { DAY } from '../../support/pki/authorities.js'
import { type RenewingRegistry, renewingRegistry } from '../../support/renewal/renewing-registry.js'

const YEAR = 365 * DAY

describe('renewing evidence', () => {
  forEachDatabase((open) => {
    let test: RenewingRegistry
    beforeEach(async () => {
      test = await renewingRegistry(await open())
    })
    afterEach(() => test.registry.close())

    it('asks for no time stamp while the authorities of all signatures last', async () => {
      const documents = await test.documents(3)
      const { asked } = test.tsa
      await test.renew()
      expect(test.tsa.asked).to.equal(asked)
      for (const one of documents) expect(await test.record(one)).to.equal(undefined)
      const { gathered, renewed, due, waiting, proofs } = await test.report()
      expect({ gathered, renewed, due, waiting }).to.deep.equal({ gathered: 3, renewed: 0, due: 0, waiting: 0 })
      expect(proofs).to.have.length(1)
      expect(proofs[0]).to.deep.include({ by: 'timeStamp', because: 'certificate', signatures: 3 })
    })

    it('covers all signatures by one time stamp 90 days before their authority ends', async () => {
      const documents = await test.documents(5)
      test.clock.time += 3 * YEAR - 91 * DAY
      test.tsa.rollOver(3)
      const { asked } = test.tsa
      await test.renew()
      expect(test.tsa.asked).to.equal(asked)
      test.clock.time += 2 * DAY
      await test.renew()
      expect(test.tsa.asked).to.equal(asked + 1)
      for (const one of documents) expect((await test.record(one))?.existedAt).to.equal(test.clock.time)
      await test.renew()
      expect(test.tsa.asked).to.equal(asked + 1)
      expect(await test.report()).to.deep.include({ gathered: 5, renewed: 5, due: 0, ended: 0, problem: undefined })
    })

    it('proves what it has covered when the authority of the signatures has ended, and says by what and until when', async () => {
      const [document] = await test.documents(1)
      if (document === undefined) throw new Error('no document')
      const before = await test.verify(document)
      expect(before.proof).to.deep.include({ by: 'timeStamp', chains: 0, stamps: 0, ended: 0 })
      test.clock.time += 3 * YEAR - 30 * DAY
      test.tsa.rollOver(3)
      await test.renew()
      test.clock.time += YEAR
      test.tsa.refresh()
      const { proof } = await test.verify(document)
      expect(proof).to.deep.include({ by: 'evidenceRecord', chains: 1, stamps: 1, ended: 0 })
      expect(proof?.since).to.equal(before.proof?.since)
      expect(proof?.holdsUntil).to.be.above(test.clock.time + YEAR)
    })

    it('says of what was not renewed in time that its proof has ended', async () => {
      const [document] = await test.documents(1)
      if (document === undefined) throw new Error('no document')
      test.clock.time += 4 * YEAR
      test.tsa.refresh()
      expect((await test.verify(document)).proof).to.deep.include({ by: 'timeStamp', ended: 1 })
      test.tsa.rollOver(3)
      await test.renew()
      expect((await test.verify(document)).proof).to.deep.include({ ended: 1 })
    })

    it('renews everything when an administrator asks for it', async () => {
      const documents = await test.documents(2)
      test.tsa.rollOver(5)
      await test.renew(true)
      for (const one of documents) expect((await test.record(one))?.chains).to.have.length(1)
      test.clock.time += DAY
      await test.renew(true)
      for (const one of documents) expect((await test.record(one))?.chains[0]?.stamps).to.have.length(2)
    })

    it('renews by one more time stamp 90 days before the authority of the last one ends', async () => {
      const [document] = await test.documents(1)
      if (document === undefined) throw new Error('no document')
      for (const stamps of [1, 2, 3, 4]) {
        test.clock.time += 3 * YEAR - 80 * DAY
        test.tsa.rollOver(3)
        await test.renew()
        expect((await test.verify(document)).proof).to.deep.include({ chains: 1, stamps, ended: 0 })
      }
    })
  })
})
