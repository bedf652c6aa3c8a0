import { defaultAlgorithmPolicy, defaultSignaturePolicy } from '@signed-registry/core/signatures'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { DAY, NOW } from '../../support/pki/authorities.js'
import { OIDS } from '../../support/pki/records.js'
import { type RenewingRegistry, renewingRegistry } from '../../support/renewal/renewing-registry.js'

const YEAR = 365 * DAY
/** Digests for trees: the first one ends in four years. */
const signaturePolicy = {
  ...defaultSignaturePolicy,
  algorithms: { ...defaultAlgorithmPolicy, digestsTrustedUntil: { [OIDS.sha384]: NOW + 4 * YEAR } },
}

describe('renewing evidence by another digest', () => {
  forEachDatabase((open) => {
    let test: RenewingRegistry
    beforeEach(async () => {
      test = await renewingRegistry(await open(), {
        years: 2,
        signaturePolicy,
        renewal: { digests: [OIDS.sha384, OIDS.sha512], batchSize: 300 },
      })
    })
    afterEach(() => test.registry.close())

    async function inYear(year: number) {
      test.clock.time = NOW + year * YEAR - 50 * DAY
      test.tsa.rollOver(year === 2 ? 6 : 10)
      await test.renew()
    }

    it('begins another chain 90 days before the digest of the trees ends, without any original', async () => {
      const documents = await test.documents(3)
      await inYear(2)
      const [document] = documents
      if (document === undefined) throw new Error('no document')
      expect((await test.record(document))?.chains.map(({ digestOid }) => digestOid)).to.deep.equal([OIDS.sha384])
      await inYear(4)
      test.clock.time += YEAR
      test.tsa.refresh()
      for (const one of documents) {
        const proof = await test.record(one)
        expect(proof?.chains.map(({ digestOid }) => digestOid)).to.deep.equal([OIDS.sha384, OIDS.sha512])
        expect((await test.verify(one)).proof).to.deep.include({ by: 'evidenceRecord', chains: 2, stamps: 2, ended: 0 })
      }
    })

    it('begins records anew where the digest of the trees has ended before, which then prove less', async () => {
      const [document] = await test.documents(1)
      if (document === undefined) throw new Error('no document')
      await inYear(2)
      test.clock.time = NOW + 5 * YEAR
      test.tsa.rollOver(10)
      await test.renew()
      expect((await test.report()).problem?.reason).to.equal('record')
      await test.renew(true)
      const proof = await test.record(document)
      expect(proof?.existedAt).to.equal(test.clock.time)
      expect((await test.verify(document)).proof).to.deep.include({ ended: 1 })
      expect((await test.report()).restarted).to.deep.include({
        ...{ batch: 1, at: test.clock.time, because: 'digestNotTrusted', signatures: 1 },
      })
    })

    it('keeps records of more members than a block has, through both kinds of renewal', async () => {
      const documents = await test.documents(301)
      await inYear(2)
      await inYear(4)
      test.clock.time += DAY
      await test.renew(true)
      const found = [0, 1, 255, 256, 299].map((at) => documents[at])
      for (const one of found) if (one) expect((await test.record(one))?.chains).to.have.length(2)
      // It grew alone until its digest was about to end, and has begun by the next one.
      const [last] = documents.slice(300)
      if (last) expect((await test.record(last))?.chains.map(({ digestOid }) => digestOid)).to.deep.equal([OIDS.sha512])
      expect((await test.report()).batches, 'batches').to.equal(2)
    })
  })
})
