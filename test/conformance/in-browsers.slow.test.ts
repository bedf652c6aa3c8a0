import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { conformanceDir, conformanceFile, conformanceJson, requireConformance } from '../support/conformance.js'
import { verdictComparison } from '../support/same-verdicts.js'

/** Corpora that others made, judged in browsers as in Node: whole reports are compared. */
describe('conformance in browsers', () => {
  let judged: Awaited<ReturnType<typeof verdictComparison>>
  before(async function () {
    requireConformance(this, 'kz/signatures/index.json')
    judged = await verdictComparison()
  })
  const file = (name: string) => ({ name, bytes: conformanceFile(name) })
  const namesIn = (folder: string, pattern: RegExp) =>
    readdirSync(`${conformanceDir}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => pattern.test(name))
      .map((name) => `${folder}/${name}`)

  it('is the same of Kazakh signatures, CMS and XML, RSA and GOST R 34.10-2015', () => {
    const trust = namesIn('kz/production-roots', /root_/).map(file)
    trust.push(file('kz/test-pki/root_test_gost_2022.cer'), file('kz/test-pki/nca_gost2022_test.cer'))
    const options = { trust, at: Date.UTC(2022, 8, 1) }
    const names = [...namesIn('kz/signatures', /^SIGNED/), ...namesIn('kz/xml', /\.xml$/)]
    expect(names).to.have.length(6)
    for (const name of names) {
      const { signatures } = judged(conformanceFile(name), [Buffer.from('test123')], options)
      expect(signatures, name).not.to.deep.equal([])
    }
  })

  it('is the same of the CMS of PKITS and of its trust anchor, under a policy that takes them', () => {
    const { time } = conformanceJson<{ time: string }>('pkits/index.json')
    const algorithms = { minRsaBits: 2048, minDsaBits: 1024, digestsTrustedUntil: { '1.3.14.3.2.26': Infinity } }
    const trust = ['certs/TrustAnchorRootCertificate.crt', 'crls/TrustAnchorRootCRL.crl'].map((name) =>
      file(`pkits/${name}`),
    )
    const names = namesIn('pkits/cms', /./)
    for (const name of names) judged(conformanceFile(name), [], { trust, algorithms, at: Date.parse(time) })
    expect(names).to.have.length.above(200)
  })

  it('is the same of the XML signatures of xmlsec', () => {
    const rows = conformanceJson<{ rows?: { file: string }[]; cases?: { file: string }[] }>('xmlsec/index.json')
    const trust = [file('kz/test-pki/root_test_gost_2022.cer')]
    const names = (rows.rows ?? rows.cases ?? []).map((one) => `xmlsec/${one.file}`)
    for (const name of names) judged(conformanceFile(name), [], { trust, at: Date.UTC(2026, 3, 1) })
    expect(names).to.have.length.above(200)
  })
})
