import { RegistryError } from '@signed-registry/verifier'
import { expect } from 'chai'
import { sourceOf } from '#verifier/byte-source.js'
import { readZip } from '#verifier/zip/read-zip.js'
import { oddZips } from '../../support/asic/odd-zips.js'

describe('readZip', () => {
  for (const { name, refused, make } of oddZips)
    it(refused === undefined ? `reads ${name}` : `refuses ${name}`, () => {
      try {
        const names = readZip(sourceOf(make())).map((file) => file.name)
        expect([names[0] === 'a.txt' || names[0] === 'folder/b.txt', refused]).to.deep.equal([true, undefined])
      } catch (error) {
        if (!(error instanceof RegistryError)) throw error
        expect(error.details?.reason).to.equal(refused)
      }
    })
})
