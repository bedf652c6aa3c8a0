import { expect } from 'chai'
import { readCms } from '#verifier/cms/read-cms.js'
import { buildPath } from '#verifier/path/build-path.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Random } from '../fuzz/random.js'
import { cmsVectors, judged, otherCertificates, pathVectors, stampVectors, xmlVectors } from '../mutation/corpora.js'
import { judgeVector, newTally } from '../mutation/judge.js'
import { conformanceFile, requireConformance } from '../support/conformance.js'
import { exhaustive } from '../support/sweep.js'

describe('mutants of accepted vectors', () => {
  const corpora = [
    { name: 'Kazakh CMS signatures', folder: 'kz/signatures', vectors: cmsVectors, most: 150 },
    { name: 'a Kazakh time stamp', folder: 'kz/tsp-ocsp', vectors: stampVectors, most: 400 },
    { name: 'XML signatures', folder: 'xmlsec/index.json', vectors: xmlVectors, most: 40 },
    { name: 'PKITS paths: certificates and CRLs', folder: 'pkits/index.json', vectors: pathVectors, most: 2 },
  ]
  for (const { name, folder, vectors, most } of corpora)
    it(`are refused or mean the same: ${name}`, function () {
      requireConformance(this, folder)
      const random = new Random(3_141_592)
      const tally = newTally()
      for (const vector of vectors()) judgeVector(vector, tally, exhaustive ? undefined : { random, most })
      const { refused, same, other, crashes } = tally
      expect(other).to.deep.equal([])
      expect(crashes).to.deep.equal([])
      expect(refused).to.be.greaterThan(300)
      expect(refused).to.be.greaterThan(same)
    })

  it('are refused or mean the same under other certificates of the same key', function () {
    requireConformance(this, 'kz/signatures')
    const anchors = [Certificate.parse(conformanceFile('kz/signatures/NCA_2015_CERT-fd467bf5.der'))]
    let count = 0
    for (const { name, original } of cmsVectors()) {
      const { signer } = readCms(original)
      for (const mutant of otherCertificates(original)) {
        count += 1
        const found = judged(() => {
          const read = readCms(mutant.der)
          const time = read.signer.notBefore + 1000
          buildPath(read.signer, { trust: { anchors, intermediates: [] }, candidates: read.certificates, time })
          return read.signer.fingerprint
        })
        expect(found, `${name}: ${mutant.name}`).to.be.oneOf([undefined, signer.fingerprint])
      }
    }
    expect(count).to.equal(24)
  })
})
