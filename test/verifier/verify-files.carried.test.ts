import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { verifyFiles } from '#verifier/verify-files.js'
import { VERIFIER_VERSION } from '#verifier/version.js'
import { Crl } from '#verifier/x509/crl.js'
import { NOW, testAuthorities } from '../support/pki/authorities.js'
import { trustOf } from '../support/pki/trust.js'

const TEXT = Buffer.from('a contract')
const OTHER = Buffer.from('an invoice')

describe('a signature that carries what it is over, among files', () => {
  const authorities = testAuthorities()
  const trust = { ...trustOf(authorities), crls: [Crl.parse(authorities.crl('ecdsa'))] }
  const signer = authorities.person()
  const carrying = { name: 'invoice.p7m', signed: signer.signCms(OTHER, { detached: false }) }
  const judged = (signatures: Parameters<typeof verifyFiles>[0]['signatures']) =>
    verifyFiles({ signatures, documents: [{ name: 'contract', document: TEXT }] }, { trust, at: NOW })

  it('is over that where the only document is another signature’s', () => {
    const { outcome, signatures } = judged([carrying, { name: 'contract.p7s', signed: signer.signCms(TEXT) }])
    expect(signatures.map(({ file, document }) => [file, document])).to.deep.equal([
      ['invoice.p7m', 'carried'],
      ['contract.p7s', 'matches'],
    ])
    expect(outcome).to.equal('proved')
  })

  it('is wrong where no signature is over the document that was given with it', () => {
    const { outcome, signatures } = judged([carrying])
    expect(signatures[0]?.document).to.equal('differs')
    expect(outcome).to.equal('wrong')
    const detached = judged([
      { name: 'invoice.p7s', signed: signer.signCms(OTHER) },
      { name: 'contract.p7s', signed: signer.signCms(TEXT) },
    ])
    expect(detached.outcome).to.equal('wrong')
  })
})

describe('the version of the verifier', () => {
  it('is the one of its package', () => {
    const file = new URL('../../core/verifier/package.json', import.meta.url)
    expect(JSON.parse(readFileSync(file, 'utf8')).version).to.equal(VERIFIER_VERSION)
  })
})
