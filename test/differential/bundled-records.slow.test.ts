import { verifyEvidence } from '@signed-registry/verifier'
import { expect } from 'chai'
import { contentAt, unzipped } from '../support/containers.js'
import { withRecords } from '../support/evidence/with-records.js'
import { builtBytes, bundleOf } from '../support/evidence-bundle.js'
import { DAY, NOW, testAuthorities } from '../support/pki/authorities.js'
import { hashRenewed, stampRenewed } from '../support/pki/records.js'
import { trustOf } from '../support/pki/trust.js'
import { BouncyCastle } from './bouncy-castle.js'
import { requireJava } from './java.js'
import { accepted } from './opinion.js'

describe('evidence records taken out of an evidence bundle, in the eyes of BouncyCastle', () => {
  let theirs: BouncyCastle
  before(function () {
    requireJava(this, BouncyCastle.jars)
    theirs = new BouncyCastle()
  })
  after(() => theirs?.stop())

  const by = testAuthorities()
  const at = NOW + 30 * DAY

  it('are about the objects beside them and no others, fresh and renewed by stamp and by hash', async () => {
    const signers = [by.person(), { by: by.person(), as: 'crl' as const }, { by: by.person(), as: 'xml' as const }]
    const plain = bundleOf(by, [{ content: '<contract></contract>', signers }])
    for (const renewed of [
      undefined,
      (records: readonly Uint8Array[]) => stampRenewed(records, { by, at: NOW + DAY }),
      (records: readonly Uint8Array[], objects: readonly Uint8Array[]) =>
        hashRenewed(stampRenewed(records, { by, at: NOW + DAY }), objects, { by, at: NOW + 2 * DAY, digest: 'sha384' }),
    ]) {
      const bundle = await builtBytes(withRecords(plain, by, renewed && { renewed }))
      const { outcome, evidence } = verifyEvidence(bundle, { trust: trustOf(by), at })
      expect([outcome, ...evidence.records.map(({ state }) => state)]).to.deep.equal([
        ...['proved', 'proved', 'proved', 'proved'],
      ])
      const files = unzipped(bundle)
      for (const signId of [101, 102, 103]) {
        const [object, record] = [`objects/${signId}`, `objects/${signId}.ers`].map((name) => contentAt(files, name))
        if (object === undefined || record === undefined) expect.fail()
        expect(await theirs.record(record, object, at)).to.deep.equal(accepted)
        const changed = Buffer.concat([object, Buffer.from('\n')])
        expect(await theirs.record(record, changed, at)).not.to.deep.equal(accepted)
      }
    }
  })
})
