import { readDataObject, readEvidenceRecord } from '@signed-registry/verifier/records'
import { expect } from 'chai'
import { contentAt, unzipped } from '../support/containers.js'
import { openSqlite } from '../support/databases.js'
import { type ThirtyYears, thirtyYears } from '../support/renewal/thirty-years.js'
import { BouncyCastle } from './bouncy-castle.js'
import { requireJava } from './java.js'
import { accepted } from './opinion.js'

describe('bundles of thirty years, in the eyes of BouncyCastle', () => {
  let theirs: BouncyCastle
  let test: ThirtyYears
  before(async function () {
    requireJava(this, BouncyCastle.jars)
    theirs = new BouncyCastle()
    test = await thirtyYears(await openSqlite())
  })
  after(async () => {
    await test?.registry.close()
    theirs?.stop()
  })

  it('have evidence records over what proves their signatures, in year 0, 10 and 29', async () => {
    const [first] = test.all
    if (first === undefined) throw new Error('no document')
    await test.renew(true)
    for (const [year, chains] of [
      [0, 1],
      [10, 1],
      [29, 2],
    ] as const) {
      await test.until(year)
      const files = unzipped(await test.bundle(first))
      const [object, record] = ['', '.ers'].map((end) => contentAt(files, `objects/${first.signId}${end}`))
      if (object === undefined || record === undefined) throw new Error('the bundle has no record')
      expect(readDataObject(object).documentId).to.equal(first.documentId)
      expect(readEvidenceRecord(record).chains).to.have.length(chains)
      expect(await theirs.record(record, object, test.clock.time), `year ${year}`).to.deep.equal(accepted)
      expect(await theirs.record(record, Buffer.from('another'), test.clock.time)).not.to.deep.equal(accepted)
    }
  }).timeout(600_000)
})
