import { TrustStore } from '@signed-registry/core'
import { verifyEvidence } from '@signed-registry/verifier/evidence'
import { expect } from 'chai'
import { sourceOf } from '#verifier/byte-source.js'
import { forEachDatabase } from '../support/databases.js'
import { FUTURE, type ThirtyYears, thirtyYears } from '../support/renewal/thirty-years.js'

describe('thirty years', () => {
  forEachDatabase((open) => {
    let test: ThirtyYears
    before(async () => {
      test = await thirtyYears(await open())
    })
    after(() => test.registry.close())

    /** What somebody without network says of a bundle who trusts the roots of today. */
    const verdict = (bundle: Uint8Array) =>
      verifyEvidence(bundle, {
        trust: test.registry.get(TrustStore).trust(),
        at: test.clock.time,
        algorithms: FUTURE,
        documents: test.all.slice(0, 1).map(({ original }) => ({ name: 'note.txt', document: sourceOf(original) })),
      })

    it('of ends of authorities, roots and digests leave every document provable at every moment', async () => {
      const [first] = test.all
      if (first === undefined) throw new Error('no document')
      const since = (await test.verify(first)).proof?.since
      await test.renew(true)
      const bundles = new Map<number, Buffer>()
      for (const year of [0, 10, 29, 30]) {
        await test.until(year, async () => {
          const report = await test.report()
          expect(report).to.deep.include({ problem: undefined, ended: 0, restarted: [] })
          const { proof } = await test.verify(first)
          expect(proof).to.deep.include({ since, by: 'evidenceRecord', ended: 0 })
        })
        bundles.set(year, await test.bundle(first))
        for (const one of test.all) expect((await test.verify(one)).proof?.ended).to.equal(0)
        const outcome = verdict(bundles.get(year) ?? Buffer.alloc(0))
        expect(outcome.evidence.problems).to.deep.equal([])
        expect(outcome.outcome, `year ${year}`).to.equal('proved')
      }
      const { proof } = await test.verify(first)
      expect(proof?.chains).to.equal(2)
      expect(test.all).to.have.length(4)
      // What nobody renewed since proves nothing any more, and says so.
      expect(verdict(bundles.get(0) ?? Buffer.alloc(0)).outcome).not.to.equal('proved')
      expect(verdict(bundles.get(10) ?? Buffer.alloc(0)).outcome).not.to.equal('proved')
      expect(verdict(bundles.get(29) ?? Buffer.alloc(0)).outcome).to.equal('proved')
    }).timeout(600_000)
  })
})
