import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { DAY } from '../../support/pki/authorities.js'
import { rejectionOf } from '../../support/refusal.js'
import {
  type RenewedDocument,
  type RenewingRegistry,
  renewingRegistry,
} from '../../support/renewal/renewing-registry.js'

const YEAR = 365 * DAY

describe('evidence records of which an authority is revoked', () => {
  forEachDatabase((open) => {
    let test: RenewingRegistry
    let document: RenewedDocument
    beforeEach(async () => {
      test = await renewingRegistry(await open(), { years: 6 })
      const [first] = await test.documents(1)
      if (first === undefined) throw new Error('no document')
      document = first
    })
    afterEach(() => test.registry.close())

    const later = (time: number) => {
      test.clock.time += time
      test.tsa.refresh()
    }

    it('are begun at once when the authority of signatures ends its work', async () => {
      later(YEAR)
      await test.renew()
      expect(await test.record(document)).to.equal(undefined)
      const first = test.tsa.holder
      test.tsa.rollOver(6)
      test.tsa.revoke(first, test.clock.time, 'cessationOfOperation')
      later(DAY)
      await test.renew()
      expect((await test.record(document))?.existedAt).to.equal(test.clock.time)
      expect((await test.verify(document)).proof).to.deep.include({ by: 'evidenceRecord', ended: 0 })
    })

    it('are renewed at once when the authority of their last time stamp ends its work', async () => {
      test.tsa.rollOver(6)
      await test.renew(true)
      const second = test.tsa.holder
      later(YEAR)
      test.tsa.rollOver(6)
      test.tsa.revoke(second, test.clock.time, 'cessationOfOperation')
      later(DAY)
      await test.renew()
      expect((await test.record(document))?.chains[0]?.stamps).to.have.length(2)
      later(DAY)
      await test.renew()
      expect((await test.record(document))?.chains[0]?.stamps).to.have.length(2)
    })

    it('keep a signature good whose own authority loses its key later', async () => {
      const first = test.tsa.holder
      test.tsa.rollOver(6)
      await test.renew(true)
      later(YEAR)
      test.tsa.revoke(first, test.clock.time, 'keyCompromise')
      later(DAY)
      expect((await test.verify(document)).proof).to.deep.include({ by: 'evidenceRecord', ended: 0 })
    })

    it('help no signature whose authority had lost its key before, and that is listed as lost', async () => {
      const first = test.tsa.holder
      test.tsa.rollOver(6)
      later(YEAR)
      test.tsa.revoke(first, test.clock.time - 30 * DAY, 'keyCompromise')
      later(DAY)
      expect(await rejectionOf(test.verify(document))).to.have.property('code', 'invalidTspTimeStamp')
      await test.renew()
      expect(await rejectionOf(test.verify(document))).to.have.property('code', 'invalidTspTimeStamp')
      expect((await test.report()).ended).to.equal(1)
      expect(await test.lost()).to.deep.equal([
        {
          documentId: document.documentId,
          signId: document.signId,
          because: 'authorityKeyCompromised',
          foundAt: test.clock.time,
        },
      ])
    })

    it('are not needed for a signature that an older checkpoint of the log shows, stamped by another authority', async () => {
      const first = test.tsa.holder
      test.tsa.rollOver(6)
      const [other] = await test.documents(1)
      if (other === undefined) throw new Error('no document')
      // The hour after, the checkpoint that covers both is stamped by the other authority.
      later(YEAR)
      test.tsa.revoke(first, test.clock.time, 'keyCompromise')
      later(DAY)
      await test.renew()
      expect(await test.lost()).to.deep.equal([])
      expect((await test.verify(document)).proof).to.deep.include({ ended: 0 })
    })

    it('begin anew where the authority of their last time stamp has lost its key, and say so', async () => {
      test.tsa.rollOver(6)
      await test.renew(true)
      const second = test.tsa.holder
      later(YEAR)
      test.tsa.revoke(second, test.clock.time, 'keyCompromise')
      test.tsa.rollOver(6)
      later(DAY)
      await test.renew()
      const proof = await test.record(document)
      expect(proof?.existedAt).to.equal(test.clock.time)
      expect((await test.verify(document)).proof).to.deep.include({ by: 'evidenceRecord', ended: 0 })
      const [restarted] = (await test.report()).restarted
      expect(restarted).to.deep.include({ batch: 1, because: 'authorityKeyCompromised', signatures: 1 })
    })
  })
})
