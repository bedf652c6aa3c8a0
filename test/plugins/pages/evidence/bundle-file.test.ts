import { expect } from 'chai'
import { sourceOf } from '#verifier/byte-source.js'
import { looksLikeEvidence } from '#verifier/evidence/index.js'
import { bundleFileInBrowsers } from '../../../support/as-in-browsers.js'
import { makeBundle } from '../../../support/evidence/bundle.js'
import { testAuthorities } from '../../../support/pki/authorities.js'

describe('a dropped file', () => {
  const authorities = testAuthorities()
  const content = Buffer.from('A contract')
  const signed = [authorities.person().signCms(content, { timeStamp: true, ocsp: true })]
  it('is an evidence bundle where the verifier says so, too', async () => {
    const { isBundle } = await bundleFileInBrowsers()
    const bundle = await makeBundle([{ title: 'a.txt', content, signed }], authorities.anchors)
    const changed = (from: string, to: string) => Buffer.from(bundle.toString('latin1').replaceAll(from, to), 'latin1')
    const files: readonly [string, Buffer, boolean][] = [
      ['a bundle', bundle, true],
      ['one with something behind it', Buffer.concat([bundle, Buffer.alloc(10)]), true],
      ['one whose directory is far away', Buffer.concat([bundle, Buffer.alloc(200_000)]), true],
      ['one without its end', bundle.subarray(0, 3000), true],
      ['a container of others', changed('evidence.json', 'manifest.json'), false],
      ['another media type', changed('asic-e+zip', 'asic-s+zip'), false],
      ['something before it', Buffer.concat([Buffer.alloc(1), bundle]), false],
      ['its first bytes', bundle.subarray(0, 69), false],
      ['less', bundle.subarray(0, 68), false],
      ['nothing', Buffer.alloc(0), false],
    ]
    for (const [name, bytes, due] of files) {
      expect(await isBundle(new Blob([new Uint8Array(bytes)])), name).to.equal(due)
      expect(looksLikeEvidence(sourceOf(bytes)), name).to.equal(due)
    }
  })
})
