import { expect } from 'chai'
import { BouncyCastle } from '../../differential/bouncy-castle.js'
import { requireJava } from '../../differential/java.js'
import { accepted } from '../../differential/opinion.js'
import { contentAt, unzipped } from '../../support/containers.js'
import { builtBytes, bundleOf } from '../../support/evidence-bundle.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'

describe('the files of an evidence bundle, in the eyes of BouncyCastle', () => {
  let theirs: BouncyCastle | undefined
  before(function () {
    requireJava(this, BouncyCastle.jars)
    theirs = new BouncyCastle()
  })
  after(() => theirs?.stop())

  it('are good: signatures alone and joined, time stamps and certificate status, of RSA and ECDSA', async () => {
    const judge = theirs ?? expect.fail()
    const authorities = testAuthorities()
    const { anchors, intermediates: others } = authorities
    const anchor = anchors[0] ?? expect.fail()
    const signers = [authorities.person({ algorithm: 'rsa2048' }), authorities.person()]
    const data = Buffer.from('A contract of two parties')
    const files = unzipped(await builtBytes(bundleOf(authorities, [{ content: data, signers }])))
    const at = { time: NOW, anchor, others }
    const joined = contentAt(files, 'document.asics!/META-INF/signature.p7s')
    expect(contentAt(files, 'document.asics!/contract.txt').equals(data)).to.equal(true)
    expect(await judge.message({ ...at, cms: joined, data })).to.deep.equal(accepted)
    expect(await judge.longTerm(joined, data)).to.be.an('object')
    for (const [index, signer] of signers.entries()) {
      const of = (folder: string, extension: string) => contentAt(files, `${folder}/${101 + index}.${extension}`)
      const cms = of('cms', 'p7s')
      expect(await judge.message({ ...at, cms, data })).to.deep.equal(accepted)
      expect(await judge.message({ ...at, cms, data: Buffer.from('another') })).to.include({ accepted: false })
      const found = await judge.longTerm(cms, data)
      if (typeof found === 'string') expect.fail(found)
      expect(found.timeStamps.map((one) => one.equals(of('tst', 'tst')))).to.deep.equal([true])
      expect(found.answers.map((one) => one.equals(of('ocsp', 'ors')))).to.deep.equal([true])
      const stamp = { ...at, token: of('tst', 'tst'), data: of('tst', 'bin') }
      expect(await judge.stamp(stamp)).to.deep.equal(accepted)
      expect(await judge.stamp({ ...stamp, data: cms })).to.include({ accepted: false })
      const asked = { certificate: signer.certificate, issuer: signer.issuer }
      expect(await judge.answer({ ...at, response: of('ocsp', 'ors'), ...asked })).to.deep.equal(accepted)
    }
  })
})
