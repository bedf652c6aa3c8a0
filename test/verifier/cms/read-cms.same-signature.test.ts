import { expect } from 'chai'
import { readCms } from '#verifier/cms/read-cms.js'
import { buildPath } from '#verifier/path/build-path.js'
import { readXmlSignature } from '#verifier/xml/read-xml-signature.js'
import { type DerNode, encode, treeOf } from '../../fuzz/der-tree.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')

const part = ({ value }: DerNode, index: number): DerNode => {
  const found = Buffer.isBuffer(value) ? undefined : value[index]
  if (found === undefined) throw new TypeError('no such part')
  return found
}

/** The same certificate with the other right value of its issuer's ECDSA signature. */
function otherValue(certificate: Buffer): Buffer {
  const root = treeOf(certificate)
  const s = part(part(part(root, 2), 0), 1)
  const value = ORDER - BigInt(`0x${(s.value as Buffer).toString('hex')}`)
  const hex = value.toString(16).padStart(64, '0')
  s.value = Buffer.from(/^[89a-f]/.test(hex) ? `00${hex}` : hex.replace(/^(00)+(?=[0-7])/, ''), 'hex')
  return encode(root)
}

describe('a signature whose certificate carries another right value of its issuer', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const signer = authorities.person({ algorithm: 'p256' })
  const changed = otherValue(signer.certificate)
  const unnamed = { signedAttributes: <T>(honest: readonly T[]) => honest.slice(0, 3) }

  it('is the same signature (CMS): it cannot be registered twice', () => {
    const data = Buffer.from('a contract')
    const der = signer.signCms(data, unnamed)
    const read = readCms(der)
    const same = Buffer.from(der)
    const root = treeOf(same)
    const certificates = part(part(part(root, 1), 0), 3)
    certificates.value = [treeOf(changed)]
    const again = readCms(encode(root))
    expect(Buffer.from(again.signer.der).equals(changed)).to.equal(true)
    expect(buildPath(again.signer, { trust, time: NOW }).certificates).to.have.length(3)
    expect(Buffer.from(again.fingerprint).equals(read.fingerprint)).to.equal(true)
  })

  it('is the same signature (XML)', () => {
    const { signature } = signer.signXml('<a/>')
    const [one, other] = [signer.certificate, changed].map((certificate) => certificate.toString('base64'))
    const again = readXmlSignature(signature.replace(one ?? '', other ?? ''))
    expect(Buffer.from(again.signer.der).equals(changed)).to.equal(true)
    expect(Buffer.from(again.fingerprint).equals(readXmlSignature(signature).fingerprint)).to.equal(true)
  })
})
