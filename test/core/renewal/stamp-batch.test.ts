import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { DAY } from '../../support/pki/authorities.js'
import {
  type RenewedDocument,
  type RenewingRegistry,
  renewingRegistry,
} from '../../support/renewal/renewing-registry.js'

const YEAR = 365 * DAY

describe('the time stamps of evidence records', () => {
  forEachDatabase((open) => {
    let test: RenewingRegistry
    let document: RenewedDocument
    beforeEach(async () => {
      test = await renewingRegistry(await open())
      const [first] = await test.documents(1)
      if (first === undefined) throw new Error('no document')
      document = first
      test.clock.time += 3 * YEAR - 89 * DAY
      test.tsa.refresh()
    })
    afterEach(() => test.registry.close())

    const ready = async () => (await test.registry.readiness()).checks.renewal
    const reason = async () => (await test.report()).problem?.reason

    it('are asked for again each time while the authority is down, and alarms rise', async () => {
      test.tsa.rollOver(3)
      test.tsa.isDown = true
      await test.renew()
      expect([await reason(), await ready()]).to.deep.equal(['authority', 'ok'])
      const since = (await test.report()).problem?.since
      for (let day = 1; day < 88; day += 29) {
        test.clock.time += 29 * DAY
        await test.renew()
        expect([await reason(), await ready()]).to.deep.equal(['authority', 'stale'])
      }
      expect((await test.report()).problem?.since).to.equal(since)
      test.tsa.isDown = false
      await test.renew()
      expect([await reason(), await ready()]).to.deep.equal([undefined, 'ok'])
      expect((await test.verify(document)).proof).to.deep.include({ by: 'evidenceRecord', ended: 0 })
    })

    it('are refused where they would end no later than what they renew', async () => {
      await test.renew()
      expect(await reason()).to.equal('endsSooner')
      expect(await test.record(document)).to.equal(undefined)
    })

    it('are refused over another imprint, and at another time', async () => {
      test.tsa.rollOver(3)
      const other = Buffer.from('3051300d0609608648016503040203050004'.concat('40', '00'.repeat(64)), 'hex')
      for (const change of [
        () => ({ imprint: other }),
        () => ({ genTime: test.clock.time - YEAR }),
        () => ({ genTime: test.clock.time + DAY }),
      ]) {
        test.tsa.change = change
        await test.renew()
        expect(await reason()).to.equal('authority')
        expect(await test.record(document)).to.equal(undefined)
      }
      test.tsa.change = undefined
      await test.renew()
      expect(await reason()).to.equal(undefined)
    })

    it('are refused where they are not later than the ones that they renew', async () => {
      test.tsa.rollOver(3)
      await test.renew()
      const first = test.clock.time
      test.clock.time += 60_000
      test.tsa.change = () => ({ genTime: first })
      await test.renew(true)
      expect(await reason()).to.equal('time')
      expect((await test.record(document))?.chains[0]?.stamps).to.have.length(1)
    })

    it('carry the certificates and the CRLs that they are verified with as soon as they are renewed', async () => {
      test.tsa.rollOver(3)
      await test.renew()
      const [before] = (await test.record(document))?.chains[0]?.stamps ?? []
      test.clock.time += DAY
      await test.renew(true)
      const [after] = (await test.record(document))?.chains[0]?.stamps ?? []
      expect(before?.certificates).to.have.length(1)
      expect(after?.certificates.map(({ fingerprint }) => fingerprint)).to.deep.equal(
        before?.path.certificates.map(({ fingerprint }) => fingerprint),
      )
    })

    it('are stored once where two hosts renew at once', async () => {
      test.tsa.rollOver(3)
      await Promise.all([test.renew(), test.renew()])
      expect((await test.record(document))?.chains[0]?.stamps).to.have.length(1)
      expect((await test.report()).batches).to.equal(1)
    })
  })
})
