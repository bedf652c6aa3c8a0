import { X509Certificate } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { DerError } from '#verifier/der/reader.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { conformanceDir, conformanceFile, requireConformance } from '../../support/conformance.js'

const pkits = (name: string): Buffer => conformanceFile(`pkits/certs/${name}.crt`)

describe('Certificate', () => {
  before(function () {
    requireConformance(this, 'pkits')
  })

  it('reads every field that node reads of the PKITS certificates', () => {
    let read = 0
    for (const file of readdirSync(`${conformanceDir}/pkits/certs`)) {
      // Their signature is not a whole number of octets.
      if (file === 'BadSignedCACert.crt' || file === 'InvalidDSASignatureTest6EE.crt') continue
      const der = conformanceFile(`pkits/certs/${file}`)
      const theirs = new X509Certificate(der)
      const ours = Certificate.parse(der)
      expect(ours.fingerprint, file).to.equal(theirs.fingerprint256.replaceAll(':', '').toLowerCase())
      expect(ours.serialNumber.replace(/^-/, ''), file).to.equal(theirs.serialNumber.replace(/^-/, '').toLowerCase())
      expect(ours.notBefore, file).to.equal(Date.parse(theirs.validFrom))
      expect(ours.notAfter, file).to.equal(Date.parse(theirs.validTo))
      read += 1
    }
    expect(read).to.be.greaterThan(400)
  })

  it('reads keyUsage, policies and key identifiers', () => {
    const { extensions, version, isSelfIssued } = Certificate.parse(pkits('GoodCACert'))
    expect(version).to.equal(3)
    expect(isSelfIssued).to.equal(false)
    expect([...(extensions.keyUsage ?? [])]).to.deep.equal(['keyCertSign', 'cRLSign'])
    expect(extensions.certificatePolicies).to.deep.equal(['2.16.840.1.101.3.2.1.48.1'])
    expect(extensions.subjectKeyIdentifier).to.have.length(20)
    expect(extensions.authorityKeyIdentifier?.keyIdentifier).to.have.length(20)
    expect(extensions.extKeyUsage).to.equal(undefined)
  })

  it('refuses trailing bytes, truncation and another inner signature algorithm', () => {
    const der = pkits('GoodCACert')
    expect(() => Certificate.parse(Buffer.concat([der, Buffer.of(0)]))).to.throw(DerError)
    expect(() => Certificate.parse(der.subarray(0, -1))).to.throw(DerError)
    const other = Buffer.from(der)
    // sha256WithRSAEncryption becomes sha384WithRSAEncryption in the signed part alone.
    const oid = Buffer.from('06092a864886f70d01010b', 'hex')
    other[other.indexOf(oid) + oid.length - 1] = 0x0c
    expect(() => Certificate.parse(other)).to.throw(DerError, 'signature algorithms differ')
  })
})
