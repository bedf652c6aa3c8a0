import { expect } from 'chai'
import { joinCms } from '#verifier/cms/join-cms.js'
import { longTermCms } from '#verifier/cms/long-term-cms.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { ocspResponseOf } from '#verifier/status/ocsp-response.js'
import { NOW, testAuthorities } from '../support/pki/authorities.js'
import { BouncyCastle, type LongTermContents } from './bouncy-castle.js'
import { requireJava } from './java.js'

const TEXT = Buffer.from('a contract')

describe('a CMS for the long term, in the eyes of BouncyCastle', () => {
  let theirs: BouncyCastle
  before(function () {
    requireJava(this, BouncyCastle.jars)
    theirs = new BouncyCastle()
  })
  after(() => theirs?.stop())

  const authorities = testAuthorities()
  const written = (algorithm: 'rsa2048' | 'p256', by: 'ocsp' | 'crls') => {
    const signer = authorities.person({ algorithm })
    const cms = signer.signCms(TEXT)
    const timeStamp = authorities.tsa.stamp(readCms(cms).signatureValue)
    const answer = authorities.ocsp.status(signer.certificate, signer.issuer)
    const ocsp = by === 'ocsp' ? answer : undefined
    const crls = by === 'crls' ? [authorities.crl('rsa'), authorities.hierarchy.root.crl(NOW)] : []
    const longTerm = longTermCms(cms, { timeStamp, ocsp, crls, certificates: [signer.issuer] })
    const contents: LongTermContents = {
      version: by === 'ocsp' ? 5 : 1,
      certificates: [signer.certificate, signer.issuer],
      answers: by === 'ocsp' ? [Buffer.from(ocspResponseOf(answer))] : [],
      crls,
      timeStamps: [timeStamp],
    }
    return { longTerm, contents }
  }
  const sorted = (contents: LongTermContents | string) =>
    typeof contents === 'string'
      ? contents
      : Object.entries(contents).map(([name, value]) => [name, Array.isArray(value) ? value.map(hex).sort() : value])
  const hex = (bytes: Buffer) => bytes.toString('hex')

  for (const algorithm of ['rsa2048', 'p256'] as const)
    for (const by of ['ocsp', 'crls'] as const)
      it(`has its evidence in its place, ${algorithm}, ${by}`, async () => {
        const { longTerm, contents } = written(algorithm, by)
        expect(sorted(await theirs.longTerm(longTerm, TEXT))).to.deep.equal(sorted(contents))
        expect(await theirs.longTerm(longTerm, Buffer.from('another'))).to.match(/message-digest/)
      })

  it('has the evidence of all when joined', async () => {
    const all = [written('rsa2048', 'ocsp'), written('p256', 'ocsp'), written('rsa2048', 'crls')]
    const joined = await theirs.longTerm(
      joinCms(
        undefined,
        all.map(({ longTerm }) => longTerm),
      ),
      TEXT,
    )
    if (typeof joined === 'string') return expect.fail(joined)
    const counted = [joined.certificates, joined.answers, joined.crls, joined.timeStamps].map(({ length }) => length)
    expect([joined.version, ...counted]).to.deep.equal([5, 5, 2, 2, 3])
  })
})
