import { devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { testAuthorities } from '../../support/pki/authorities.js'
import { weakCms } from '../../support/pki/hostile-cms.js'
import { hostileSigners } from '../../support/pki/hostile-signers.js'
import { testVerifier } from '../../support/pki/verifier.js'
import { rejectionOf } from '../../support/refusal.js'

const DATA = Buffer.from('document')

describe('a signature by somebody who may not sign', () => {
  const authorities = testAuthorities()
  const { verify } = testVerifier(devAuthorities({ authorities }))

  it('is distinguished from one by somebody who may', async () => {
    for (const signer of [authorities.person({ algorithm: 'rsa2048' }), authorities.employee({ role: 'head' })]) {
      await verify(signer.signCms(DATA))
      await verify(signer.signCms(DATA, { timeStamp: true, ocsp: true }))
    }
  })

  for (const [title, { signer, code, certificates }] of hostileSigners(authorities)) {
    it(`is refused: a certificate ${title}`, async () => {
      expect((await rejectionOf(verify(signer.signCms(DATA, { certificates })))).code).equal(code)
    })
  }

  for (const [title, cms] of weakCms(authorities, DATA)) {
    it(`is refused: ${title}`, async () => {
      expect((await rejectionOf(verify(cms))).code).equal('algorithmNotTrusted')
    })
  }
})
