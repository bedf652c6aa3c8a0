import { defaultAlgorithmPolicy, defaultSignaturePolicy } from '@signed-registry/core/signatures'
import { readDataObject } from '@signed-registry/verifier/records'
import { expect } from 'chai'
import { RenewedProofs } from '#core/documents/index.js'
import { RenewEvidence } from '#core/renewal/renew-evidence.js'
import { RenewalState } from '#core/renewal/renewal-state.js'
import { forEachDatabase } from '../../support/databases.js'
import { DAY, NOW } from '../../support/pki/authorities.js'
import { OIDS } from '../../support/pki/records.js'
import {
  type RenewedDocument,
  type RenewingRegistry,
  renewingRegistry,
} from '../../support/renewal/renewing-registry.js'

const YEAR = 365 * DAY
const signaturePolicy = {
  ...defaultSignaturePolicy,
  algorithms: { ...defaultAlgorithmPolicy, digestsTrustedUntil: { [OIDS.sha384]: NOW + 2 * YEAR } },
}

describe('evidence records of a registry where something is wrong', () => {
  forEachDatabase((open) => {
    let test: RenewingRegistry
    let document: RenewedDocument
    const begin = async (options: Parameters<typeof renewingRegistry>[1] = {}) => {
      test = await renewingRegistry(await open(), { years: 6, ...options })
      const [first] = await test.documents(1)
      if (first === undefined) throw new Error('no document')
      document = first
    }
    afterEach(() => test.registry.close())

    const stamps = async () => (await test.record(document))?.chains.map(({ stamps: own }) => own.length)
    const request = () => test.registry.get(RenewalState).request()
    const run = () => {
      test.tsa.refresh()
      return test.registry.get(RenewEvidence).run()
    }

    it('are kept when the clock is years ahead for a while', async () => {
      await begin()
      await test.renew(true)
      const { time } = test.clock
      test.clock.time += 15 * YEAR
      test.tsa.isDown = true
      await test.renew()
      test.clock.time = time + DAY
      test.tsa.isDown = false
      test.tsa.refresh()
      await test.renew()
      expect(await stamps()).to.deep.equal([1])
      expect((await test.verify(document)).proof).to.deep.include({ by: 'evidenceRecord', ended: 0 })
      expect(await test.report()).to.deep.include({ ended: 0, restarted: [], problem: undefined })
    })

    it('go back to the last time stamp that holds when the key of a later one is lost', async () => {
      await begin()
      test.tsa.rollOver(7)
      await test.renew(true)
      test.clock.time += YEAR
      test.tsa.rollOver(8)
      const second = test.tsa.holder
      await test.renew(true)
      expect(await stamps()).to.deep.equal([2])
      test.clock.time += YEAR
      test.tsa.revoke(second, test.clock.time, 'keyCompromise')
      test.tsa.rollOver(9)
      test.clock.time += DAY
      await test.renew()
      expect(await stamps()).to.deep.equal([1])
      const proof = await test.record(document)
      expect(proof?.existedAt).to.be.below(NOW + YEAR)
      await test.renew(true)
      expect(await stamps()).to.deep.equal([2])
    })

    it('are told as ended where their digest has ended while no authority answered', async () => {
      await begin({ signaturePolicy, renewal: { digests: [OIDS.sha384, OIDS.sha512] } })
      await test.renew(true)
      test.clock.time = NOW + 2 * YEAR - 30 * DAY
      test.tsa.isDown = true
      await test.renew()
      test.tsa.isDown = false
      test.clock.time = NOW + 2 * YEAR + 5 * DAY
      test.tsa.rollOver(9)
      await test.renew()
      expect((await test.report()).problem?.reason).to.equal('record')
      await test.renew(true)
      const proof = await test.record(document)
      expect(proof?.chains.map(({ digestOid }) => digestOid)).to.deep.equal([OIDS.sha512])
      expect((await test.report()).restarted).to.have.length(1)
    })

    it('are renewed once for each request, whatever keeps others from it', async () => {
      await begin({ renewal: { batchSize: 1 } })
      await test.documents(1)
      test.tsa.rollOver(7)
      await request()
      await run()
      expect((await test.registry.get(RenewalState).read()).requestedAt).to.equal(undefined)
      test.clock.time += DAY
      await request()
      test.tsa.isDown = true
      await run()
      test.tsa.isDown = false
      for (let day = 0; day < 3; day += 1) {
        test.clock.time += DAY
        await run()
      }
      expect(await stamps()).to.deep.equal([2])
    })

    it('are renewed by the next run when one was broken off that was asked for', async () => {
      await begin()
      await request()
      const { requestedAt } = await test.registry.get(RenewalState).read()
      await test.registry.get(RenewEvidence).renew({ requestedAt, isStopped: () => true })
      test.tsa.rollOver(7)
      await run()
      expect(await stamps()).to.deep.equal([1])
    })

    it('wait with a data object for roots that are missing', async () => {
      await begin()
      test.tsa.isUnknown = true
      await test.renew()
      expect((await test.report()).gathered).to.equal(0)
      test.tsa.isUnknown = false
      test.tsa.rollOver(7)
      await test.renew(true)
      const found = (await test.registry.get(RenewedProofs).of([document.signId])).get(document.signId)
      expect(readDataObject(found?.object ?? Buffer.alloc(0)).certificates.length).to.be.above(2)
    })

    it('take no time stamp by an algorithm that ends as soon', async () => {
      const ending = { ...defaultAlgorithmPolicy, digestsTrustedUntil: { [OIDS.sha256]: NOW + 2 * YEAR } }
      await begin({ signaturePolicy: { ...defaultSignaturePolicy, algorithms: ending } })
      await test.renew(true)
      test.clock.time = NOW + 2 * YEAR - 60 * DAY
      test.tsa.rollOver(9)
      for (let day = 0; day < 3; day += 1) {
        test.clock.time += DAY
        await test.renew()
      }
      expect(await stamps()).to.deep.equal([1])
      expect((await test.report()).problem?.reason).to.equal('endsSooner')
      test.tsa.newGeneration(20, 'sha512', 9)
      await test.renew()
      expect(await stamps()).to.deep.equal([2])
    })
  })
})
