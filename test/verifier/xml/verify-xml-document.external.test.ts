import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { SignerVerdict } from '#verifier/verdict.js'
import { type VerifyOptions, verify } from '#verifier/verify.js'
import { Crl } from '#verifier/x509/crl.js'
import { filesByUri } from '#verifier/xml/files-by-uri.js'
import { readXmlSignature } from '#verifier/xml/read-xml-signature.js'
import { NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { COUNTERSIGNED } from '../../support/xml/counter-sign.js'
import { refusal } from '../../support/xml/refusal.js'
import {
  C14N,
  DSIG,
  ENVELOPED,
  EXC_C14N,
  signatureTemplate,
  signTemplate,
  type TemplateReference,
} from '../../support/xml/sign-template.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const MANIFEST = `${DSIG}Manifest`

describe('XML signature over files', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const crls = [Crl.parse(authorities.crl('ecdsa')), Crl.parse(authorities.crl('rsa'))]
  const trust = { ...trustOf(authorities), crls }
  const person = authorities.person({ algorithm: 'p256' })

  const contract = Buffer.from('a contract')
  const annex = Buffer.from('an annex')
  const hash = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
  const over = (uri: string, bytes: Uint8Array, more: TemplateReference = {}): TemplateReference => ({
    uri: ` URI="${uri}"`,
    digestValue: hash(bytes).toString('base64'),
    ...more,
  })
  const alone = (...references: readonly TemplateReference[]): string =>
    signTemplate(signatureTemplate(person, { references }), person)
  const inContainer = (...references: readonly TemplateReference[]): string => {
    const template = signatureTemplate(person, { references })
    const root = `<asic:XAdESSignatures xmlns:asic="http://uri.etsi.org/02918/v1.2.1#">${template}</asic:XAdESSignatures>`
    return signTemplate(root, person)
  }

  const judge = (xml: string, options: Partial<VerifyOptions> = {}): SignerVerdict => {
    const [verdict, more] = verify(xml, { trust, at: NOW, ...options }).signatures
    if (verdict === undefined || more !== undefined) throw new Error('not one signature')
    return verdict
  }
  const said = (xml: string, options: Partial<VerifyOptions> = {}): string => {
    const { indication, document, covers, refusal: refused } = judge(xml, options)
    return [indication, document, covers, refused?.code, refused?.details?.reason].filter(Boolean).join(' ')
  }
  const missing = 'unsupported unknown signatureNotParsed externalReference'

  describe('takes the document for the one file that it names', () => {
    for (const uri of ['contract.txt', 'file:///C:/Users/x/contract.txt', 'https://example.invalid/c.txt'])
      for (const write of [alone, inContainer])
        it(`${uri}, ${write === alone ? 'alone' : 'in a container'}`, () => {
          const signed = write(over(uri, contract))
          const passed = write === alone ? 'TOTAL-PASSED matches document' : 'TOTAL-PASSED matches detached'
          expect(said(signed, { document: contract })).to.equal(passed)
          expect(judge(signed, { document: annex })).to.include({ indication: 'TOTAL-FAILED', conclusion: 'refused' })
          expect(said(signed)).to.equal(missing)
          expect(judge(signed).refusal?.details?.uri).to.equal(uri)
        })

    it('by digests of it', () => {
      const signed = alone(over('contract.txt', contract))
      expect(said(signed, { document: new Map([[SHA_256, hash(contract)]]) })).to.equal('TOTAL-PASSED matches document')
      expect(said(signed, { document: new Map([[SHA_256, hash(annex)]]) })).to.equal(
        'TOTAL-FAILED differs document signatureDoesNotCorrespond digest',
      )
    })

    it('in canonical form where the signature says so, which needs the bytes', () => {
      const xml = Buffer.from('<?xml version="1.0"?>\n<a  b="1"><!-- c --></a>\n')
      const signed = alone(over('a.xml', Buffer.from('<a b="1"></a>'), { transforms: [EXC_C14N] }))
      expect(said(signed, { document: xml })).to.equal('TOTAL-PASSED matches document')
      for (const other of [Buffer.from('<a b="2"/>'), Buffer.from('no XML')])
        expect(said(signed, { document: other })).to.equal(
          'TOTAL-FAILED differs document signatureDoesNotCorrespond digest',
        )
      expect(said(signed, { document: new Map([[SHA_256, hash(xml)]]) })).to.equal(
        'INDETERMINATE unknown document signatureDoesNotCorrespond digestMissing',
      )
      const container = inContainer(over('a.xml', Buffer.from('<a b="1"></a>'), { transforms: [EXC_C14N] }))
      expect(said(container, { document: xml })).to.equal('TOTAL-PASSED matches detached')
    })

    it('and for no more than one', () => {
      const both = [over('contract.txt', contract), over('annex.txt', annex)]
      for (const write of [alone, inContainer]) expect(said(write(...both), { document: contract })).to.equal(missing)
    })

    it('where it is asked for: a registration is over the document alone', () => {
      const signed = alone(over('contract.txt', contract))
      expect(refusal(() => readXmlSignature(signed))).to.equal('signatureNotParsed externalReference')
    })
  })

  describe('takes several of them from resolve', () => {
    const files = filesByUri(
      new Map([
        ['contract.txt', contract],
        ['annex.txt', annex],
      ]),
    )
    const both = [over('contract.txt', contract), over('annex.txt', annex)]

    for (const write of [alone, inContainer])
      it(write === alone ? 'alone' : 'in a container', () => {
        const signed = write(...both)
        expect(said(signed, { resolve: files })).to.equal('TOTAL-PASSED carried detached')
        expect(said(signed, { resolve: files, document: annex })).to.equal('TOTAL-PASSED matches detached')
        expect(said(signed, { resolve: files, document: Buffer.from('x') })).to.contain('TOTAL-FAILED differs')
        const one = (uri: string) => (uri === 'annex.txt' ? annex : undefined)
        expect(said(signed, { resolve: one, document: contract })).to.contain('TOTAL-PASSED matches detached')
        expect(said(signed, { resolve: one })).to.equal(missing)
        expect(judge(signed, { resolve: one }).refusal?.details?.uri).to.equal('contract.txt')
        const swapped = (uri: string) => (uri === 'annex.txt' ? contract : annex)
        expect(said(signed, { resolve: swapped })).to.equal('TOTAL-FAILED unknown invalidSignature digest')
        expect(said(signed, { resolve: swapped, document: contract })).to.equal(
          'TOTAL-FAILED unknown invalidSignature digest',
        )
      })
  })

  describe('refuses', () => {
    const resolve = () => contract

    it('transforms that a file outside cannot have', () => {
      for (const transform of [ENVELOPED, `${DSIG}base64`]) {
        const signed = alone(over('c.txt', contract, { transforms: [transform] }))
        const refused = 'unsupported unknown signatureNotParsed transformNotAllowed'
        expect(said(signed, { resolve })).to.equal(refused)
        expect(said(signed, { document: contract })).to.equal(refused)
      }
      const canonical = alone(over('c.txt', contract, { transforms: [C14N] }))
      expect(said(canonical, { resolve })).to.equal('TOTAL-FAILED unknown signatureNotParsed notWellFormed')
    })

    it('a part of a file, and what is no content', () => {
      const part = alone(over('c.xml#part', contract))
      const fragment = 'unsupported unknown signatureNotParsed externalFragment'
      expect(said(part, { resolve })).to.equal(fragment)
      expect(said(part, { document: contract })).to.equal(fragment)
      for (const [type, reason] of [
        [MANIFEST, 'manifest'],
        [COUNTERSIGNED, 'counterSignature'],
      ] as const)
        for (const options of [{ document: contract }, { document: contract, resolve }])
          expect(said(alone(over('c.txt', contract, { type })), options)).to.contain(reason)
    })
  })

  describe('finds files by their names', () => {
    const bytes = Buffer.from('x')
    const find = filesByUri(
      new Map([
        ['Договор №1.pdf', bytes],
        ['./folder/a b.txt', bytes],
        ['50%25.txt', bytes],
      ]),
    )

    it('as they stand, percent-encoded, and by the last part of a file URI', () => {
      for (const uri of [
        'Договор №1.pdf',
        encodeURIComponent('Договор №1.pdf'),
        encodeURIComponent('Договор №1.pdf'.normalize('NFD')),
        './folder/a%20b.txt',
        '/folder/a%20b.txt',
        'folder/a b.txt',
        `file:///C:/x/${encodeURIComponent('Договор №1.pdf')}`,
        '50%25.txt',
      ])
        expect(find(uri), uri).to.equal(bytes)
    })

    it('and nowhere else', () => {
      for (const uri of [
        'http://example.invalid/folder/a%20b.txt',
        '//host/folder/a%20b.txt',
        'cid:folder/a%20b.txt',
        '../folder/a%20b.txt',
        'folder/a%20b.txt?x',
        'folder/a%20b.txt#x',
        'a%2',
        '',
      ])
        expect(find(uri), uri).to.equal(undefined)
    })
  })
})
