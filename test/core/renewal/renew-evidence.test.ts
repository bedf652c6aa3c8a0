import { TrustStore } from '@signed-registry/core'
import { verifyEvidenceRecord } from '@signed-registry/verifier/records'
import { expect } from 'chai'
import { RenewedProofs } from '#core/documents/index.js'
import { RenewEvidence } from '#core/renewal/renew-evidence.js'
import { digest } from '#verifier/algorithms/digest.js'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY } from '../../support/log-key.js'
import { DAY, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { type DatedAuthority, datedAuthority } from '../../support/renewal/dated-authority.js'

const YEAR = 365 * DAY
const HOUR = DAY / 24

describe('renewing evidence', () => {
  forEachDatabase((open) => {
    let test: LoggingRegistry
    let tsa: DatedAuthority
    beforeEach(async () => {
      const clock = testClock()
      const authorities = testAuthorities({ clock })
      tsa = datedAuthority(authorities, clock, 3)
      test = await loggingRegistry(await open(), { key: LOG_KEY }, { clock, authorities, plugins: [tsa.plugin] })
    })
    afterEach(() => test.registry.close())

    const renew = () => test.registry.get(RenewEvidence).run()
    const proofs = (signIds: readonly number[]) => test.registry.get(RenewedProofs)?.of(signIds)
    async function registered(count: number): Promise<number[]> {
      const signIds: number[] = []
      for (let n = 0; n < count; n += 1) signIds.push((await test.register()).signId)
      await test.integrate()
      test.clock.time += 3 * HOUR
      await test.integrate()
      return signIds
    }

    it('asks for no time stamp while the authorities of all signatures last', async () => {
      const signIds = await registered(3)
      const asked = tsa.asked
      await renew()
      expect(tsa.asked).to.equal(asked)
      expect((await proofs(signIds))?.size).to.equal(0)
    })

    it('covers all signatures by one time stamp 90 days before their authority ends', async () => {
      const signIds = await registered(5)
      test.clock.time += 3 * YEAR - 89 * DAY
      tsa.rollOver(3)
      const asked = tsa.asked
      await renew()
      expect(tsa.asked).to.equal(asked + 1)
      const found = await proofs(signIds)
      expect(found?.size).to.equal(5)
      for (const { object, record } of found?.values() ?? []) {
        const proof = verifyEvidenceRecord(record, (oid) => digest(oid, object), {
          trust: test.registry.get(TrustStore).trust(),
          now: test.clock.time,
        })
        expect(proof.existedAt).to.equal(test.clock.time)
      }
      await renew()
      expect(tsa.asked).to.equal(asked + 1)
    })
  })
})
