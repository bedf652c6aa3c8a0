import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { buildPath } from '#verifier/path/build-path.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { readIdentity } from '#verifier/x509/identity.js'
import { conformanceDir, conformanceFile, requireConformance } from '../support/conformance.js'
import { DAY } from '../support/pki/authorities.js'
import { reasonOf } from '../support/refusal.js'
import { Scoreboard } from '../support/scoreboard.js'

const FOLDERS = ['individual-valid', 'individual-revoked', 'legal-valid', 'legal-revoked']

/** The certificate of a PKCS#12 file of the test PKI. */
function certificateOf(file: string): Certificate {
  const path = `${conformanceDir}/kz/test-pki/${file}`
  const options = ['-nokeys', '-clcerts', '-legacy', '-passin', 'pass:Qwerty12']
  const pem = execFileSync('openssl', ['pkcs12', '-in', path, ...options], { stdio: ['ignore', 'pipe', 'ignore'] })
  const base64 = /-----BEGIN CERTIFICATE-----([^-]+)-----/.exec(pem.toString())?.[1] ?? ''
  return Certificate.parse(Buffer.from(base64, 'base64'))
}

/** DER of a file that may be PEM. */
function derOf(file: string): Uint8Array {
  const bytes = conformanceFile(`kz/test-pki/${file}`)
  return bytes[0] === 0x30 ? bytes : Buffer.from(bytes.toString().replace(/-----[^-]+-----|\s/g, ''), 'base64')
}

describe('conformance: Kazakh certification paths', () => {
  before(function () {
    requireConformance(this, 'kz/test-pki')
    if (spawnSync('openssl', ['version']).status !== 0) {
      console.log('      skipped: no openssl to take the certificates out of PKCS#12')
      this.skip()
    }
  })

  it('tells valid from revoked people and organizations by the CRL of the test authority (GOST)', () => {
    const crl = Crl.parse(derOf('nca_gost2022_test.crl'))
    const trust = {
      anchors: [Certificate.parse(derOf('root_test_gost_2022.cer'))],
      intermediates: [Certificate.parse(derOf('nca_gost2022_test.cer'))],
      crls: [crl],
    }
    const board = new Scoreboard('kz/test-pki')
    for (const folder of FOLDERS)
      for (const file of readdirSync(`${conformanceDir}/kz/test-pki/${folder}`)) {
        const leaf = certificateOf(`${folder}/${file}`)
        // The CRL is of August: some of the valid were revoked since, which does not count for a day after they were issued.
        const time = leaf.notBefore + DAY
        board.judge(`${folder}/${file}`, folder.endsWith('valid') ? 'accept' : 'reject', () => {
          // Whoever is revoked holds but for that.
          expect(buildPath(leaf, { trust, time, crlUse: 'none' }).certificates).to.have.length(3)
          return buildPath(leaf, { trust, time, now: crl.thisUpdate }).certificates.length === 3
        })
      }
    board.print()
    board.expectAllRight(12)
    const employee = certificateOf('legal-valid/employee.p12')
    expect(reasonOf(() => buildPath(employee, { trust, time: crl.thisUpdate }))).to.equal(
      'invalidCertificateStatus: revoked',
    )
  })

  it('reads who the certificates are for', () => {
    const identity = (file: string) => readIdentity(certificateOf(file))
    expect(identity('individual-valid/individual_valid.p12')).to.include({
      userId: 'IIN123456789011',
      businessId: undefined,
      keyStorage: '1.2.398.3.3.5.1.1',
    })
    expect(identity('legal-valid/head.p12')).to.include({ userId: 'IIN123456789011', businessId: 'BIN123456789021' })
    expect(identity('legal-valid/treasury_client.p12')).to.include({ userId: undefined, businessId: 'BIN123456789021' })
  })
})
