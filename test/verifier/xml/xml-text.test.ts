import { expect } from 'chai'
import { verify } from '#verifier/verify.js'
import { xmlText } from '#verifier/xml/xml-text.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { refusal } from '../../support/xml/refusal.js'
import { signatureTemplate, signTemplate } from '../../support/xml/sign-template.js'

describe('XML given as octets', () => {
  const authorities = testAuthorities()
  const person = authorities.person({ algorithm: 'p256' })
  const signed = (text: string): string => signTemplate(`<a><b>${text}</b>${signatureTemplate(person)}</a>`, person)
  const declared = (encoding: string, xml: string): string => `<?xml version="1.0" encoding="${encoding}"?>${xml}`
  /** Whether the signature was read and holds; evidence is another matter. */
  const verdict = (bytes: Uint8Array): string => {
    const [only] = verify(bytes, { trust: trustOf(authorities), at: NOW }).signatures
    return only?.signature === undefined ? `refused ${only?.refusal?.details?.reason}` : 'read'
  }

  it('is read as UTF-8, declared or not, with a mark or without', () => {
    const xml = signed('договор')
    for (const text of [xml, `\ufeff${xml}`, declared('UTF-8', xml), declared('utf-8', xml)])
      expect(verdict(Buffer.from(text)), text.slice(0, 40)).to.equal('read')
  })

  it('is refused where octets are not UTF-8: other readers would see another document', () => {
    const honest = Buffer.from(signed('\ufffd'))
    expect(verdict(honest)).to.equal('read')
    const at = honest.indexOf('\ufffd')
    const changed = Buffer.concat([honest.subarray(0, at), Buffer.of(0xcf), honest.subarray(at + 3)])
    expect(verdict(changed)).to.equal('refused notUtf8')
    const cyrillic = Buffer.concat([
      Buffer.from(declared('windows-1251', '<a>')),
      Buffer.of(0xe4, 0xee),
      Buffer.from('</a>'),
    ])
    expect(verdict(cyrillic)).to.equal('refused encoding')
  })

  it('is refused where its declaration, which nobody signed, gives its octets another meaning', () => {
    const xml = signed('договор')
    expect(verdict(Buffer.from(declared('windows-1251', xml)))).to.equal('refused encoding')
    expect(verdict(Buffer.from(declared('UTF-7', signed('+ADw-c/+AD4-'))))).to.equal('refused encoding')
    expect(verdict(Buffer.from(declared('UTF-16', signed('a'))))).to.equal('refused encoding')
  })

  it('is taken where all of it is ASCII, in an encoding in which that means the same', () => {
    for (const encoding of ['US-ASCII', 'ISO-8859-1', 'windows-1251', 'KOI8-R'])
      expect(verdict(Buffer.from(declared(encoding, signed('a contract')))), encoding).to.equal('read')
  })

  it('is looked at for a declaration alone, not for what looks like one', () => {
    const comment = '<!-- <?xml version="1.0" encoding="UTF-7"?> -->'
    expect(refusal(() => xmlText(Buffer.from(`${comment}<a/>`)))).to.equal('accepted')
    expect(refusal(() => xmlText(Buffer.from('<?xml version="1.0"?><a encoding="UTF-7"/>')))).to.equal('accepted')
  })
})
