import { expect } from 'chai'
import { type BundlesToChange, bundlesToChange, survivors } from '../../support/changed-bundles.js'

describe('a bundle of which one octet was changed, or one file is of another bundle', () => {
  let bundles: BundlesToChange
  before(async () => {
    bundles = await bundlesToChange()
  })

  it('is never proved, and a problem or a signature says what is wrong', () => {
    for (const untouched of [bundles.own, bundles.other])
      expect(bundles.verify(untouched)).to.include({ outcome: 'proved' })
    expect(survivors(bundles, { seed: 25, count: 102 })).to.deep.equal([])
  })
})
