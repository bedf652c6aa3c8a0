import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { verify } from '#verifier/verify.js'
import { Crl } from '#verifier/x509/crl.js'
import { readXmlSignature } from '#verifier/xml/read-xml-signature.js'
import { readXmlSignatures, verifyXmlDocument, verifyXmlSignatures } from '#verifier/xml/verify-xml-document.js'
import { textMutants } from '../../mutation/corpora.js'
import { DAY, NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'
import { inFolder } from '../../support/pki/openssl.js'
import { trustOf } from '../../support/pki/trust.js'
import { addUnsigned, COUNTERSIGNED, counterSign, counterSignature, overValue } from '../../support/xml/counter-sign.js'
import { refusal } from '../../support/xml/refusal.js'
import {
  C14N,
  DSIG,
  ENVELOPED,
  EXC_C14N,
  signatureTemplate,
  signTemplate,
  type TemplateOptions,
} from '../../support/xml/sign-template.js'

const XPATH = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const WITHOUT_SIGNATURES = `<ds:Transform Algorithm="${XPATH}"><ds:XPath>not(ancestor-or-self::ds:Signature)</ds:XPath></ds:Transform>`

describe('XAdES counter-signature', () => {
  const authorities = testAuthorities({ clock: testClock() })
  const crls = [Crl.parse(authorities.crl('ecdsa')), Crl.parse(authorities.crl('rsa'))]
  const trust = { ...trustOf(authorities), crls }
  const expired = authorities.person({ algorithm: 'p256', validFrom: NOW - 2 * DAY, validUntil: NOW - DAY })
  const person = authorities.person({ algorithm: 'p256' })
  const second = authorities.person({ algorithm: 'p256' })
  const other = authorities.person({ algorithm: 'p256' })

  /** Adds a signature over the whole document as the last child of its root. */
  const addSignature = (xml: string, valueId: string, by = person, options: TemplateOptions = {}): string =>
    signTemplate(xml.replace(/<\/a>$/, `${signatureTemplate(by, { valueId, ...options })}</a>`), by)
  const main = addSignature('<a><b>text</b></a>', 'v')
  const signed = counterSign(main, 'v', other)

  /** What each signature is over, or what it is refused with. */
  const each = (xml: string): string[] =>
    readXmlSignatures(xml).map((read) => {
      let covers = ''
      const refused = refusal(() => {
        covers = read().covers
      })
      return covers === '' ? refused : covers
    })
  const judge = (xml: string) => verify(xml, { trust, at: NOW })
  const moved = 'invalidSignature countersignedSignature'

  it('is over the value of another signature, never over the document', () => {
    const [whole, counter] = verifyXmlSignatures(signed)
    expect([whole?.covers, counter?.covers]).to.deep.equal(['document', 'signature'])
    expect(String(whole?.signedBytes)).to.equal('<a><b>text</b></a>')
    expect(String(counter?.signedBytes)).to.match(/^<ds:SignatureValue [^<]*<\/ds:SignatureValue>$/)
    expect(Buffer.from(counter?.signature.signer.der ?? []).equals(other.certificate)).to.equal(true)
    expect(refusal(() => verifyXmlDocument(signed))).to.equal('signatureNotParsed severalSignatures')
  })

  it('is what xmlsec1 takes for one, and it refuses what we refuse', function () {
    if (spawnSync('xmlsec1', ['--version']).status !== 0) this.skip()
    const theirs = (xml: string): boolean =>
      inFolder({ 'document.xml': xml, 'certificate.pem': other.certificatePem }, (folder) => {
        const file = (name: string) => join(folder, name)
        const place = [
          '--node-xpath',
          "//*[local-name()='CounterSignature']/*",
          '--id-attr:Id',
          `${DSIG}:SignatureValue`,
        ]
        const options = ['--verify', ...place, '--pubkey-cert-pem', file('certificate.pem'), file('document.xml')]
        return spawnSync('xmlsec1', options).status === 0
      })
    expect(theirs(signed)).to.equal(true)
    const changed = signed.replace(
      /(<ds:SignatureValue Id="v">)(.)/,
      (_, tag: string, one: string) => `${tag}${one === 'A' ? 'B' : 'A'}`,
    )
    expect([theirs(changed), each(changed)[1]]).to.deep.equal([false, 'invalidSignature digest'])
  })

  it('has a verdict of its own, which is not one over the document', () => {
    const verdict = judge(signed)
    expect(verdict.signatures.map(({ indication, covers }) => [indication, covers])).to.deep.equal([
      ['TOTAL-PASSED', 'document'],
      ['TOTAL-PASSED', 'signature'],
    ])
    expect(verdict.signatures.map(({ document }) => document)).to.deep.equal(['carried', 'carried'])
    expect(verdict.valid).to.equal(true)
  })

  it('takes nothing away from the signature that it is over when it is bad', () => {
    const forged = signed.replace(/(<xades:CounterSignature.*<ds:DigestValue>)[^<]*/, `$1${'A'.repeat(43)}=`)
    expect(each(forged)).to.deep.equal(['document', 'invalidSignature signatureValue'])
    const verdict = judge(forged)
    expect(verdict.signatures.map(({ indication, covers }) => [indication, covers])).to.deep.equal([
      ['TOTAL-PASSED', 'document'],
      ['TOTAL-FAILED', 'signature'],
    ])
    expect(verdict).to.include({ valid: true, indication: 'TOTAL-PASSED' })
    const unknown = judge(counterSign(main, 'v', expired))
    expect(unknown.signatures.map(({ indication }) => indication)).to.deep.equal(['TOTAL-PASSED', 'INDETERMINATE'])
    expect(unknown.valid).to.equal(true)
  })

  it('adds nothing to a signature that is bad', () => {
    const changed = signed.replace('text', 'test')
    expect(each(changed)).to.deep.equal(['invalidSignature digest', 'signature'])
    expect(judge(changed)).to.include({ valid: false, indication: 'TOTAL-FAILED' })
  })

  it('is told of a signature that stands alone, too', () => {
    const alone = signed.replace(/^<a><b>text<\/b>|<\/a>$/g, '')
    expect(refusal(() => readXmlSignature(alone))).to.equal('accepted')
    const verdict = verify(alone, { trust, at: NOW, document: Buffer.from('<a><b>text</b></a>') })
    expect(verdict.signatures.map(({ document, covers }) => [document, covers])).to.deep.equal([
      ['matches', 'document'],
      ['carried', 'signature'],
    ])
    expect(verdict.valid).to.equal(true)
  })

  it('may be over another counter-signature', () => {
    const twice = counterSign(counterSign(main, 'v', other, { valueId: 'c' }), 'c', second)
    expect(each(twice)).to.deep.equal(['document', 'signature', 'signature'])
    expect(each(twice.replace('text', 'test'))).to.deep.equal(['invalidSignature digest', 'signature', 'signature'])
  })

  it('may stand beside the signature that it is over, and says so', () => {
    const beside = (options: TemplateOptions): string =>
      signTemplate(main.replace(/<\/a>$/, `${signatureTemplate(other, options)}</a>`), other)
    const detached = beside({ references: [overValue('v')] })
    expect(each(detached)).to.deep.equal(['document', 'signature'])
    expect(judge(detached).valid).to.equal(true)
    const both = beside({ references: [overValue('v'), { transforms: [ENVELOPED, C14N] }] })
    expect(each(both)).to.deep.equal(['document', 'document'])
    const ofDocument = beside({ references: [{ type: COUNTERSIGNED, transforms: [ENVELOPED, C14N] }] })
    expect(each(ofDocument)[1]).to.equal(moved)
  })

  describe('refuses attacks', () => {
    it('one that was moved to another signature', () => {
      const two = addSignature(counterSign(main, 'v', other, { id: 'c' }), 'w', second)
      const counter = /<xades:CounterSignature.*<\/xades:CounterSignature>/.exec(two)?.[0] ?? ''
      expect(each(two)).to.deep.equal(['document', 'signature', 'document'])
      expect(each(addUnsigned(two.replace(counter, ''), 'w', counter))[2]).to.equal(moved)
    })

    it('a signature over the document, or over a part, in the place of a counter-signature', () => {
      const own =
        /<ds:Signature .*<\/ds:Signature>/.exec(
          addSignature('<a><b>text</b></a>', 'x', other, { canonicalization: EXC_C14N }),
        )?.[0] ?? ''
      const parts = [
        [counterSignature(own), 'invalidSignature digest'],
        [
          counterSignature(signatureTemplate(other, { references: [{ transforms: [WITHOUT_SIGNATURES, C14N] }] })),
          moved,
        ],
        [
          counterSignature(
            signatureTemplate(other, { references: [overValue('v'), { transforms: [WITHOUT_SIGNATURES, C14N] }] }),
          ),
          'signatureNotParsed counterSignatureContent',
        ],
      ] as const
      for (const [property, refused] of parts) {
        const put = addUnsigned(main, 'v', property)
        const xml = property.includes('<ds:SignatureValue></') ? signTemplate(put, other) : put
        expect(each(xml)).to.deep.equal(['document', refused])
        expect(judge(xml).signatures.map(({ covers }) => covers)).to.deep.equal(['document', 'signature'])
        expect(judge(xml).valid).to.equal(true)
      }
    })

    it('one whose value is not the one that was verified', () => {
      const decoy = '<ds:Object><ds:SignatureValue Id="decoy">AAAA</ds:SignatureValue></ds:Object>'
      const over = counterSign(main.replace('</ds:KeyInfo>', `$&${decoy}`), 'v', other, {
        references: [overValue('decoy')],
      })
      expect(each(over)[1]).to.equal(moved)
    })

    it('signatures inside of others anywhere else', () => {
      const inner = signatureTemplate(other, { references: [overValue('v')] })
      const inObject = signTemplate(main.replace('</ds:KeyInfo>', `$&<ds:Object>${inner}</ds:Object>`), other)
      expect(refusal(() => readXmlSignatures(inObject))).to.equal('signatureNotParsed nestedSignatures')
      const misplaced = 'signatureNotParsed nestedSignatures'
      for (const property of [inner, `<x>${counterSignature(inner)}</x>`, counterSignature(`${inner}<x/>`)])
        expect(each(signTemplate(addUnsigned(main, 'v', property), other))).to.deep.equal(['document', misplaced])
    })

    it('more of them than sixteen signatures in all', () => {
      let xml = main
      for (let count = 1; count < 16; count += 1)
        xml = counterSign(xml, count === 1 ? 'v' : `c${count - 1}`, other, { valueId: `c${count}` })
      expect(each(xml)).to.deep.equal(['document', ...Array.from({ length: 15 }, () => 'signature')])
      const more = counterSign(xml, 'v', other)
      expect(refusal(() => readXmlSignatures(more))).to.equal('signatureNotParsed tooManySignatures')
    })

    it('one that stands alone and would have the value for its document', () => {
      const alone = signatureTemplate(other, { references: [{ ...overValue('v'), digestValue: `${'A'.repeat(43)}=` }] })
      expect(refusal(() => readXmlSignature(signTemplate(alone, other)))).to.equal(
        'signatureNotParsed counterSignature',
      )
    })
  })

  it('says nothing else however its document is changed', () => {
    const meaning = (xml: string): readonly string[] =>
      readXmlSignatures(xml).flatMap((read) => {
        let said = ''
        refusal(() => {
          const { covers, signedBytes, signature } = read()
          said = `${Buffer.from(signature.signer.spki).toString('hex')} ${covers} ${signedBytes}`
        })
        return said === '' ? [] : [said]
      })
    const honest = new Set(meaning(signed))
    expect(honest.size).to.equal(2)
    let held = 0
    for (const [index, { name, der }] of [...textMutants(signed)].entries()) {
      if (index % 11 !== 0) continue
      refusal(() => {
        const found = meaning(Buffer.from(der).toString('utf8'))
        held += found.length
        for (const one of found) expect(honest.has(one), name).to.equal(true)
      })
    }
    expect(held).to.be.greaterThan(100)
  })

  describe('leaves the order of other signatures as it was', () => {
    it('when it was added before or after the second one', () => {
      const before = addSignature(signed, 'w', second)
      expect(each(before)).to.deep.equal(['document', 'signature', 'document'])
      const after = counterSign(addSignature(main, 'w', second), 'v', other)
      expect(each(after)).to.deep.equal(['document', 'signature', 'document'])
      const stamped = addSignature(addUnsigned(main, 'v', '<xades:x/>'), 'w', second)
      expect(each(counterSign(stamped, 'v', other))).to.deep.equal(['document', 'signature', 'document'])
      for (const xml of [before, after]) expect(judge(xml).valid).to.equal(true)
      expect(each(after.replace('text', 'test'))).to.deep.equal([
        'invalidSignature digest',
        'signature',
        'invalidSignature digest',
      ])
    })

    it('unless it does not hold, or brings something along', () => {
      const two = addSignature(main, 'w', second)
      const bad = counterSign(two, 'v', other).replace(/(<xades:CounterSignature.*?<ds:DigestValue>)..../, '$1AAAA')
      expect(each(bad)[2]).to.equal('invalidSignature digest')
      const laden = counterSign(two, 'v', other, { objects: '<ds:Object>pay 1000</ds:Object>' })
      expect(each(laden)).to.deep.equal(['invalidSignature digest', 'signature', 'invalidSignature digest'])
    })

    it('when two signatures of the same document have one each', () => {
      const references = [{ transforms: [WITHOUT_SIGNATURES, EXC_C14N] }]
      const one = addSignature('<a><b>text</b></a>', 'v', person, { references })
      const two = addSignature(one, 'w', second, { references })
      const both = counterSign(counterSign(two, 'v', other), 'w', other)
      expect(each(both)).to.deep.equal(['document', 'signature', 'document', 'signature'])
      expect(judge(both).valid).to.equal(true)
      const forged = both
        .replace(`<xades:CounterSignature`, `<!-- ${DSIG} -->$&`)
        .replace(/(<xades:CounterSignature.*?<ds:DigestValue>)..../, '$1AAAA')
      expect(each(forged)).to.deep.equal(['document', 'invalidSignature signatureValue', 'document', 'signature'])
    })
  })
})
