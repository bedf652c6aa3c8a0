import { expect } from 'chai'
import { pem } from '#dev-authorities/index.js'
import { decodeSignature } from '#verifier/cms/decode-signature.js'
import { cmsPem, exportCms } from '#verifier/cms/export-cms.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { nul } from '../../support/cms-recipe.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { openssl } from '../../support/pki/openssl.js'
import { expectRefusal } from '../../support/refusal.js'

const TEXT = Buffer.from('a contract')

describe('exporting a CMS', () => {
  const authorities = testAuthorities()
  const signer = authorities.person({ algorithm: 'rsa2048' })
  const evidence = () => {
    const { timeStamp, ocsp } = readCms(signer.signCms(TEXT, { timeStamp: true, ocsp: true }))
    return { timeStamp: timeStamp?.token ?? Buffer.alloc(0), ocsp: ocsp ?? Buffer.alloc(0) }
  }

  it('adds the evidence and leaves what is signed as it was', () => {
    const kept = readCms(signer.signCms(TEXT, { detached: false })).kept
    const added = evidence()
    const exported = readCms(exportCms(kept, added))
    expect(Buffer.from(exported.timeStamp?.token ?? [])).to.deep.equal(Buffer.from(added.timeStamp))
    expect(Buffer.from(exported.ocsp ?? [])).to.deep.equal(Buffer.from(added.ocsp))
    expect(exported.fingerprint).to.deep.equal(readCms(kept).fingerprint)
    expect(Buffer.from(exported.signatureValue)).to.deep.equal(Buffer.from(readCms(kept).signatureValue))
  })

  it('gives a CMS with evidence of its own back as it came', () => {
    const { kept } = readCms(signer.signCms(TEXT, { timeStamp: true, ocsp: true }))
    expect(exportCms(kept, evidence())).to.equal(kept)
  })

  it('adds only what is missing, and keeps attributes that it does not know', () => {
    const { kept } = readCms(
      signer.signCms(TEXT, {
        timeStamp: true,
        unsignedAttributes: (honest) => [...honest, { oid: '1.2.3.4', values: [Buffer.from(nul)] }],
      }),
    )
    const exported = readCms(exportCms(kept, evidence()))
    expect(exported.timeStamp).to.deep.equal(readCms(kept).timeStamp)
    expect(exported.ocsp).not.to.equal(undefined)
    expect(exported.ignoredAttributes).to.deep.equal(['1.2.3.4'])
  })

  it('writes PEM that reads back', () => {
    const der = signer.signCms(TEXT)
    expect(Buffer.from(decodeSignature(cmsPem(der)))).to.deep.equal(der)
    for (const line of cmsPem(der).split('\n')) expect(line.length).to.be.at.most(64)
  })

  it('refuses bytes that are not a CMS', () => {
    expectRefusal('signatureNotParsed', 'notDer', () => exportCms(Buffer.from('x'), evidence()))
  })

  for (const algorithm of ['rsa2048', 'p256'] as const)
    it(`gives what openssl cms -verify accepts, ${algorithm}`, () => {
      const one = authorities.person({ algorithm })
      const kept = readCms(one.signCms(TEXT, { detached: false })).kept
      const trust = [...authorities.anchors, ...authorities.intermediates]
        .map((der) => pem('CERTIFICATE', der))
        .join('')
      const verify = (content: string) =>
        openssl(
          `cms -verify -binary -inform PEM -in cms.pem -content content -CAfile trust.pem -purpose any -attime ${NOW / 1000}`,
          { 'cms.pem': cmsPem(exportCms(kept, evidence())), content, 'trust.pem': trust },
          ({ ok, output }) => `${ok} ${output}`,
        )
      expect(verify(TEXT.toString())).to.match(/^true .*successful/s)
      expect(verify('another contract')).to.match(/^false .*failure/s)
    })
})
