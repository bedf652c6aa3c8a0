import { expect } from 'chai'
import { bundlesToChange, survivors } from '../../support/changed-bundles.js'
import { amount } from '../../support/sweep.js'

describe('many bundles that were changed, each in one place', () => {
  it('are never proved, and each is told apart by a problem or a signature', async () => {
    const bundles = await bundlesToChange()
    expect(survivors(bundles, { seed: 1, count: amount(30, 6 * 1000) })).to.deep.equal([])
  })
})
