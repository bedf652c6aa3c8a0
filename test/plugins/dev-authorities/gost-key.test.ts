import { devAuthorities, memoryCredentials } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { keyFromPem } from '#dev-authorities/keys.js'
import { readXmlSignature } from '#verifier/xml/read-xml-signature.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { testVerifier } from '../../support/pki/verifier.js'

const DATA = Buffer.from('document')

describe('dev-authorities: GOST 34.10-2015', () => {
  const authorities = testAuthorities()
  const person = authorities.person({ algorithm: 'gost512' })
  const verifier = testVerifier(devAuthorities({ authorities }))

  it('signs CMS with Streebog-512 under a GOST CA, with evidence carried or collected', async () => {
    for (const options of [{}, { timeStamp: true, ocsp: true }]) {
      const { facts, signedDigests } = await verifier.verify(person.signCms(DATA, options))
      expect(facts.signAlgorithm).equal('1.2.398.3.10.1.1.2.3.2')
      expect(facts.certSignAlgorithm).equal('1.2.398.3.10.1.1.2.3.2')
      expect(facts.tsp?.timeStamp).equal(NOW)
      expect([...signedDigests.keys()]).deep.equal(['1.2.398.3.10.1.3.3'])
    }
  })

  it('signs XML by the national algorithm names', () => {
    const { signature } = person.signXml('<order/>')
    expect(readXmlSignature(signature).signAlgorithm).equal('1.2.398.3.10.1.1.2.3.2')
    expect(signature).contain(':gostr34102015-gostr34112015-512"').contain(':gostr34112015-512"')
  })

  it('is revoked under the GOST CA', async () => {
    const other = authorities.person({ algorithm: 'gost512' })
    authorities.revoke(other)
    const error = await verifier.verify(other.signCms(DATA)).catch((reason: unknown) => reason)
    expect(error).property('code', 'invalidCertificateStatus')
  })

  it('writes and reads keys as PKCS#8', () => {
    const copy = keyFromPem(person.keyPem)
    expect(copy.spki).deep.equal(person.key.spki)
    expect(testAuthorities({}, memoryCredentials()).person({ key: copy }).keyPem).equal(person.keyPem)
  })

  it('signs with no other digest', () => {
    expect(() => person.signCms(DATA, { hash: 'sha256' })).throw(TypeError, 'no signature algorithm with sha256')
    expect(() => authorities.person().signCms(DATA, { hash: 'streebog512' })).throw(TypeError, 'streebog512')
  })
})
