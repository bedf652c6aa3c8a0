import { expect } from 'chai'
import { buildPath } from '#verifier/path/build-path.js'
import { nameDer } from '../../support/der.js'
import { NOW } from '../../support/pki/authorities.js'
import { general, nameConstraints, subjectAltName } from '../../support/pki/extensions.js'
import { commonName, type Entity, issue, issueAuthority } from '../../support/pki/hierarchy.js'
import { refusalOf } from '../../support/refusal.js'

const { dns, email, uri, ip, directory, other } = general
const root = issueAuthority(undefined, { subject: 'root' })

const constrained = (constraints: { permitted?: Buffer[]; excluded?: Buffer[] }, by: Entity = root): Entity =>
  issueAuthority(by, { subject: 'constrained', extensions: [nameConstraints(constraints)] })

const judge = (leaf: Entity, ...authorities: Entity[]): string => {
  const trust = { anchors: [root.certificate], intermediates: authorities.map(({ certificate }) => certificate) }
  try {
    buildPath(leaf.certificate, { trust, time: NOW })
    return 'accepted'
  } catch {
    const { details } = refusalOf(() => buildPath(leaf.certificate, { trust, time: NOW }))
    return String(details?.reason)
  }
}

const underPermitted = (subtree: Buffer, name: Buffer): string => {
  const authority = constrained({ permitted: [subtree] })
  return judge(issue(authority, { extensions: [subjectAltName(name)] }), authority)
}

const underExcluded = (subtree: Buffer, name: Buffer): string => {
  const authority = constrained({ excluded: [subtree] })
  return judge(issue(authority, { extensions: [subjectAltName(name)] }), authority)
}

/** What is inside a permitted subtree is accepted, what is outside is not. */
function permits(title: string, subtree: Buffer, { inside, outside }: { inside: Buffer[]; outside: Buffer[] }): void {
  it(`permits ${title}`, () => {
    for (const name of inside) expect(underPermitted(subtree, name), name.toString('latin1')).to.equal('accepted')
    for (const name of outside)
      expect(underPermitted(subtree, name), name.toString('latin1')).to.equal('nameNotPermitted')
  })
}

function excludes(title: string, subtree: Buffer, { inside, outside }: { inside: Buffer[]; outside: Buffer[] }): void {
  it(`excludes ${title}`, () => {
    for (const name of inside) expect(underExcluded(subtree, name), name.toString('latin1')).to.equal('nameExcluded')
    for (const name of outside) expect(underExcluded(subtree, name), name.toString('latin1')).to.equal('accepted')
  })
}

describe('name constraints', () => {
  permits('a DNS name and what is below it', dns('example.com'), {
    inside: [dns('example.com'), dns('A.b.EXAMPLE.com'), dns('*.example.com')],
    outside: [
      dns('notexample.com'),
      dns('example.com.'),
      dns('.example.com'),
      dns('example.org'),
      dns('*.com'),
      dns('a b.example.com'),
      dns('evil.com\0.example.com'),
      dns(''),
    ],
  })
  excludes('a DNS name and what is below it', dns('example.com'), {
    inside: [dns('example.com'), dns('x.Example.com'), dns('*.com'), dns('example.com.'), dns('x..example.com')],
    outside: [dns('example.org'), dns('notexample.com'), dns('*.org')],
  })
  permits('no name by a malformed DNS subtree', dns('.example.com'), { inside: [], outside: [dns('foo.example.com')] })
  permits('no name by a DNS subtree with a wildcard', dns('*.example.com'), {
    inside: [],
    outside: [dns('foo.example.com')],
  })
  excludes('everything by a malformed DNS subtree', dns('*.example.com'), { inside: [dns('a.org')], outside: [] })
  permits('every DNS name by an empty subtree', dns(''), { inside: [dns('a.org')], outside: [dns('a..org')] })

  permits('one mailbox', email('box@example.com'), {
    inside: [email('box@EXAMPLE.com')],
    outside: [email('Box@example.com'), email('other@example.com'), email('box@sub.example.com')],
  })
  permits('the mailboxes of one host', email('example.com'), {
    inside: [email('a@example.com'), email('"a b"@example.com')],
    outside: [
      email('a@sub.example.com'),
      email('a@b@example.com'),
      email('example.com'),
      email('@example.com'),
      email('a@example.com '),
    ],
  })
  permits('the mailboxes below a domain', email('.example.com'), {
    inside: [email('a@sub.example.com')],
    outside: [email('a@example.com'), email('a@notexample.com')],
  })
  excludes('one mailbox whatever the case of its letters', email('box@example.com'), {
    inside: [email('BOX@Example.com'), email('a@b@c')],
    outside: [email('box2@example.com')],
  })

  permits('URIs by their host', uri('example.com'), {
    inside: [uri('https://example.com/x'), uri('https://user@EXAMPLE.com:8443/?a@b.org')],
    outside: [
      uri('https://sub.example.com/'),
      uri('https://example.com.evil.org/'),
      uri('https://evil.org/@example.com'),
      uri('https://evil.org\\@example.com/'),
      uri('https://example.com@evil.org/'),
      uri('urn:example.com'),
      uri('https://192.0.2.1/'),
    ],
  })
  permits('URIs below a domain', uri('.example.com'), {
    inside: [uri('https://a.example.com/')],
    outside: [uri('https://example.com/')],
  })
  excludes('URIs below a domain, and those without a host', uri('.example.com'), {
    inside: [uri('https://a.example.com/'), uri('urn:x'), uri('https://[::1]/')],
    outside: [uri('https://example.org/')],
  })

  permits('addresses of a network', ip(192, 0, 2, 0, 255, 255, 255, 0), {
    inside: [ip(192, 0, 2, 200)],
    outside: [ip(192, 0, 3, 1), ip(...Array.from({ length: 16 }, () => 0))],
  })
  permits('no address by a mask with holes', ip(192, 0, 2, 0, 255, 0, 255, 0), {
    inside: [],
    outside: [ip(192, 0, 2, 1)],
  })
  excludes('addresses of a network', ip(10, 0, 0, 0, 255, 0, 0, 0), {
    inside: [ip(10, 1, 2, 3)],
    outside: [ip(11, 0, 0, 1)],
  })

  permits('directory names below a name', directory(nameDer([['2.5.4.10', 'Org']])), {
    inside: [],
    outside: [directory(nameDer([['2.5.4.10', 'Organ']])), directory(commonName('x'))],
  })

  it('applies to the subject, and to alternative names of its type', () => {
    const org = nameDer([['2.5.4.10', 'Org']])
    const below = nameDer([['2.5.4.10', 'ORG']], [['2.5.4.3', 'person']])
    const authority = constrained({ permitted: [directory(org)] })
    expect(judge(issue(authority, { subject: below }), authority)).to.equal('accepted')
    expect(judge(issue(authority, { subject: 'person' }), authority)).to.equal('nameNotPermitted')
    const alternative = issue(authority, { subject: below, extensions: [subjectAltName(directory(commonName('x')))] })
    expect(judge(alternative, authority)).to.equal('nameNotPermitted')
  })

  it('applies to an e-mail address in the subject', () => {
    const authority = constrained({ permitted: [email('example.com')] })
    const subject = (address: string) => nameDer([['2.5.4.3', 'x']], [['1.2.840.113549.1.9.1', address, 0x16]])
    expect(judge(issue(authority, { subject: subject('a@example.com') }), authority)).to.equal('accepted')
    expect(judge(issue(authority, { subject: subject('a@evil.org') }), authority)).to.equal('nameNotPermitted')
  })

  it('leaves names of other forms alone', () => {
    expect(underPermitted(ip(192, 0, 2, 0, 255, 255, 255, 0), dns('example.com'))).to.equal('accepted')
    expect(underExcluded(other('1.2.3.4'), dns('example.com'))).to.equal('accepted')
  })

  it('refuses a name of a form that it cannot compare', () => {
    expect(underExcluded(other('1.2.3.4'), other('1.2.3.5'))).to.equal('nameFormNotSupported')
    expect(underPermitted(email('example.com'), other('1.3.6.1.5.5.7.8.9'))).to.equal('nameFormNotSupported')
    expect(underPermitted(email('example.com'), other('1.3.6.1.4.1.311.20.2.3'))).to.equal('accepted')
  })

  describe('with values that are no text', () => {
    const [ORGANIZATION, COMMON_NAME, UNIT, EMAIL] = ['2.5.4.10', '2.5.4.3', '2.5.4.11', '1.2.840.113549.1.9.1']
    const evil = nameDer([[ORGANIZATION, 'Evil']])
    const person = (organization: string | Uint8Array, tag = 0x0c) =>
      nameDer([[ORGANIZATION, organization, tag]], [[COMMON_NAME, 'person']])
    const OCTET_STRING = 0x04
    const GRAPHIC_STRING = 0x19
    const GENERAL_STRING = 0x1b
    const unreadable: [string, Buffer][] = [
      ['octets that are not UTF-8', person(Buffer.from([0x45, 0x76, 0x69, 0x6c, 0xff]))],
      ['an overlong encoding', person(Buffer.from([0xc1, 0x85, 0x76, 0x69, 0x6c]))],
      ['an OCTET STRING', person('Evil', OCTET_STRING)],
      ['a GraphicString', person('Evil', GRAPHIC_STRING)],
      ['a GeneralString', person('Evil', GENERAL_STRING)],
    ]
    const excluding = constrained({ excluded: [directory(evil)] })
    const permitting = constrained({ permitted: [directory(evil)] })
    const mails = [constrained({ permitted: [email('example.com')] }), constrained({ excluded: [email('evil.org')] })]

    for (const [title, subject] of unreadable)
      it(`refuses ${title} where a constraint depends on it, and only there`, () => {
        for (const authority of [excluding, permitting]) {
          expect(judge(issue(authority, { subject }), authority)).to.equal('nameNotComparable')
          const elsewhere = issue(authority, { subject: evil, extensions: [subjectAltName(directory(subject))] })
          expect(judge(elsewhere, authority)).to.equal(authority === permitting ? 'nameNotComparable' : 'nameExcluded')
        }
        const alternative = issue(excluding, { extensions: [subjectAltName(directory(subject))] })
        expect(judge(alternative, excluding)).to.equal('nameNotComparable')
        for (const authority of [...mails, constrained({ excluded: [dns('evil.org')] })])
          expect(judge(issue(authority, { subject }), authority)).to.equal('accepted')
        expect(judge(issue(root, { subject }))).to.equal('accepted')
      })

    it('refuses a name that is compared with a subtree that is no text', () => {
      const subtree = directory(nameDer([[ORGANIZATION, 'Evil', OCTET_STRING]]))
      for (const constraints of [{ excluded: [subtree] }, { permitted: [subtree] }]) {
        const authority = constrained(constraints)
        expect(judge(issue(authority, { subject: person('Evil') }), authority)).to.equal('nameNotComparable')
      }
    })

    it('compares the same octets of the same type', () => {
      const octets = Buffer.from([0xff, 0xfe])
      const subtree = directory(nameDer([[ORGANIZATION, octets]]))
      const [open, closed] = [constrained({ permitted: [subtree] }), constrained({ excluded: [subtree] })]
      expect(judge(issue(open, { subject: person(octets) }), open)).to.equal('accepted')
      expect(judge(issue(closed, { subject: person(octets) }), closed)).to.equal('nameExcluded')
    })

    it('does not mind them where the rest tells the names apart, or below the subtree', () => {
      const country = nameDer([['2.5.4.6', 'KZ', 0x13]], [[ORGANIZATION, 'Evil']])
      const authority = constrained({ excluded: [directory(country)] })
      const from = (code: string) => nameDer([['2.5.4.6', code, 0x13]], [[ORGANIZATION, 'Evil', OCTET_STRING]])
      expect(judge(issue(authority, { subject: from('DE') }), authority)).to.equal('accepted')
      expect(judge(issue(authority, { subject: from('KZ') }), authority)).to.equal('nameNotComparable')
      const other = nameDer([[UNIT, 'Evil', OCTET_STRING]], [[ORGANIZATION, 'Evil']])
      expect(judge(issue(excluding, { subject: other }), excluding)).to.equal('accepted')
      const short = nameDer([['2.5.4.6', 'KZ', 0x13]])
      expect(judge(issue(authority, { subject: short }), authority)).to.equal('accepted')
      const below = nameDer([[ORGANIZATION, 'Evil']], [[COMMON_NAME, 'x', OCTET_STRING]])
      expect(judge(issue(permitting, { subject: below }), permitting)).to.equal('accepted')
      expect(judge(issue(excluding, { subject: below }), excluding)).to.equal('nameExcluded')
    })

    it('looks at all values of an RDN', () => {
      const both = (name: string, tag = 0x0c) =>
        nameDer([
          [ORGANIZATION, 'Evil', tag],
          [UNIT, name],
        ])
      const authority = constrained({ excluded: [directory(both('unit'))] })
      expect(judge(issue(authority, { subject: both('UNIT', OCTET_STRING) }), authority)).to.equal('nameNotComparable')
      expect(judge(issue(authority, { subject: both('other', OCTET_STRING) }), authority)).to.equal('accepted')
      expect(judge(issue(authority, { subject: both('UNIT') }), authority)).to.equal('nameExcluded')
    })

    it('refuses an e-mail address in the subject that is no text', () => {
      const subject = nameDer([[COMMON_NAME, 'x']], [[EMAIL, 'a@evil.org', OCTET_STRING]])
      const invalid = nameDer([[COMMON_NAME, 'x']], [[EMAIL, Buffer.from('a@evil.org\xff', 'latin1')]])
      for (const name of [subject, invalid]) {
        for (const authority of mails)
          expect(judge(issue(authority, { subject: name }), authority)).to.equal('nameNotComparable')
        expect(judge(issue(excluding, { subject: name }), excluding)).to.equal('accepted')
        expect(judge(issue(root, { subject: name }))).to.equal('accepted')
      }
    })
  })

  it('narrows along the path and never widens', () => {
    const first = constrained({ permitted: [dns('bar.example.com')] })
    const second = constrained({ permitted: [dns('foo.example.com'), dns('bar.example.com')] }, first)
    const leaf = (name: string) => issue(second, { extensions: [subjectAltName(dns(name))] })
    expect(judge(leaf('foo.example.com'), first, second)).to.equal('nameNotPermitted')
    expect(judge(leaf('bar.example.com'), first, second)).to.equal('accepted')
  })

  it('excludes what is permitted as well', () => {
    const authority = constrained({ permitted: [dns('example.com')], excluded: [dns('example.com')] })
    expect(judge(issue(authority, { extensions: [subjectAltName(dns('example.com'))] }), authority)).to.equal(
      'nameExcluded',
    )
  })

  it('binds authorities too, but not a self-issued one', () => {
    const authority = constrained({ permitted: [directory(nameDer([['2.5.4.10', 'Org']]))] })
    const person = { subject: nameDer([['2.5.4.10', 'Org']], [['2.5.4.3', 'person']]) }
    const stray = issueAuthority(authority, { subject: 'stray' })
    expect(judge(issue(stray, person), authority, stray)).to.equal('nameNotPermitted')
    const renewed = issueAuthority(authority, { subject: 'constrained' })
    expect(judge(issue(renewed, person), authority, renewed)).to.equal('accepted')
  })

  it('binds what a trust anchor issues when its own certificate states them', () => {
    const anchor = issueAuthority(undefined, {
      subject: 'bound',
      extensions: [nameConstraints({ permitted: [dns('example.com')] })],
    })
    const trust = { anchors: [anchor.certificate], intermediates: [] }
    const stray = issue(anchor, { extensions: [subjectAltName(dns('example.org'))] })
    expect(refusalOf(() => buildPath(stray.certificate, { trust, time: NOW })).details?.reason).to.equal(
      'nameNotPermitted',
    )
  })

  it('refuses constraints in a certificate that is no authority', () => {
    const leaf = issue(root, { extensions: [nameConstraints({ permitted: [dns('example.com')] })] })
    expect(judge(leaf)).to.equal('nameConstraintsOutsideAuthority')
  })

  it('stops at its budget when many names meet many constraints', () => {
    const many = Array.from({ length: 2000 }, (_, index) => dns(`host${index}.example.com`))
    const authority = constrained({ excluded: many.map((_, index) => dns(`other${index}.example.com`)) })
    const leaf = issue(authority, { extensions: [subjectAltName(...many)] })
    expect(judge(leaf, authority)).to.equal('budgetExhausted')
  })
})
