import { RegistryError } from '@signed-registry/core'

import { expect } from 'chai'
import { readCms } from '#verifier/cms/read-cms.js'
import { testAuthorities } from '../../support/pki/authorities.js'
import { hostileCms } from '../../support/pki/hostile-cms.js'

const DATA = Buffer.from('document')

describe('a CMS made to deceive', () => {
  const authorities = testAuthorities()

  it('is told from an honest one', () => {
    const signed = readCms(authorities.person().signCms(DATA, { timeStamp: true, ocsp: true }))
    expect(signed.timeStamp?.imprinted).deep.equal(signed.signatureValue)
  })

  for (const [title, cms] of hostileCms(authorities, DATA)) {
    it(`is refused with a coded error: ${title}`, () => {
      const refused = expect(() => readCms(cms)).throw(RegistryError)
      refused.with.property('kind').oneOf(['invalid', 'unacceptable'])
    })
  }
})
