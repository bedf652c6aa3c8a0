import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { buildPath } from '#verifier/path/build-path.js'
import type { PathContext } from '#verifier/path/path-context.js'
import type { Certificate } from '#verifier/x509/certificate.js'
import { der, oidDer } from '../../support/der.js'
import { DAY, NOW } from '../../support/pki/authorities.js'
import {
  authorityKeyIdentifier,
  basicConstraints,
  extension,
  extKeyUsage,
  general,
  keyUsage,
  subjectAltName,
  subjectKeyIdentifier,
} from '../../support/pki/extensions.js'
import { type CertificateParts, type Entity, issue, issueAuthority } from '../../support/pki/hierarchy.js'
import { reasonOf, refusalOf } from '../../support/refusal.js'

const root = issueAuthority(undefined, { subject: 'root' })
const authority = issueAuthority(root, { subject: 'authority' })
const leaf = issue(authority, { subject: 'person' })

type Options = Omit<Partial<PathContext>, 'trust' | 'candidates'>

const build = (from: Entity, anchors: Entity[], candidates: Entity[] = [], options: Options = {}) =>
  buildPath(from.certificate, {
    trust: { anchors: certificates(anchors), intermediates: [] },
    candidates: certificates(candidates),
    time: NOW,
    ...options,
  })

const certificates = (entities: Entity[]): Certificate[] => entities.map(({ certificate }) => certificate)

/** Code and reason of the refusal of a leaf under an authority with these parts. */
const refusalUnder = (parts: CertificateParts, leafParts: CertificateParts = {}): string => {
  const issuer = issue(root, { subject: 'under test', ...parts })
  return reasonOf(() => build(issue(issuer, leafParts), [root], [issuer]))
}

const UNKNOWN_EXTENSION = '1.3.6.1.4.1.55738.666.1'

describe('buildPath', () => {
  it('leads from the leaf through embedded certificates to a trust anchor', () => {
    expect(build(leaf, [root], [authority]).certificates).to.deep.equal(certificates([leaf, authority, root]))
  })

  it('uses configured issuing authorities', () => {
    const trust = { anchors: certificates([root]), intermediates: certificates([authority]) }
    expect(buildPath(leaf.certificate, { trust, time: NOW }).certificates).to.have.length(3)
  })

  it('takes a trust anchor itself as a path of one', () => {
    expect(build(root, [root]).certificates).to.deep.equal([root.certificate])
  })

  it('may end at an issuing authority that is configured as an anchor', () => {
    expect(build(leaf, [authority]).certificates).to.have.length(2)
  })

  it('names the refused certificate, the reason and the time', () => {
    const { details } = refusalOf(() => build(leaf, [root]))
    expect(details).to.deep.equal({
      reason: 'noIssuer',
      certificate: { subject: 'CN=person', serialNumber: leaf.certificate.serialNumber },
      at: NOW,
      issuer: 'CN=authority',
    })
  })

  describe('trust', () => {
    it('never trusts a root that came with the signature', () => {
      const stranger = issueAuthority(undefined, { subject: 'stranger' })
      const victim = issue(stranger)
      expect(reasonOf(() => build(victim, [root], [stranger]))).to.equal('certificateIssuerUnknown: noIssuer')
      expect(reasonOf(() => build(stranger, [root], [stranger]))).to.equal('certificateIssuerUnknown: selfSigned')
    })

    it('refuses an impostor CA with the name of the real one', () => {
      const impostor = issueAuthority(undefined, { subject: 'root' })
      const forged = issue(impostor)
      expect(reasonOf(() => build(forged, [root], [impostor]))).to.equal('certificateIssuerUnknown: signatureMismatch')
    })

    it('finds the real issuer among impostors of its name', () => {
      const impostors = Array.from({ length: 20 }, () => issueAuthority(undefined, { subject: 'authority' }))
      expect(build(leaf, [root], [...impostors, authority]).certificates[1]).to.equal(authority.certificate)
    })

    it('takes the key identifier for a hint only', () => {
      const named = issueAuthority(root, { subject: 'named', extensions: [subjectKeyIdentifier('real')] })
      const misled = issue(named, { extensions: [authorityKeyIdentifier('false')] })
      const bait = issueAuthority(root, { subject: 'named', extensions: [subjectKeyIdentifier('false')] })
      expect(build(misled, [root], [bait, named]).certificates[1]).to.equal(named.certificate)
    })

    it('tries another path when the first is invalid', () => {
      const expired = issueAuthority(root, { subject: 'authority', keyOf: authority, until: NOW - DAY })
      const path = build(leaf, [root], [expired, authority])
      expect(path.certificates[1]).to.equal(authority.certificate)
    })

    it('follows a cross-certificate to the anchor that is trusted', () => {
      const other = issueAuthority(undefined, { subject: 'other root' })
      const cross = issueAuthority(other, { subject: 'root', keyOf: root })
      expect(build(leaf, [other], [authority, root, cross]).certificates).to.deep.equal(
        certificates([leaf, authority, cross, other]),
      )
    })
  })

  describe('authorities', () => {
    it('refuses a leaf that acts as a CA', () => {
      expect(reasonOf(() => build(issue(leaf), [root], [leaf, authority]))).to.equal(
        'certificatePathNotBuilt: basicConstraintsMissing',
      )
    })

    it('refuses a CA without basicConstraints, or with cA false', () => {
      expect(refusalUnder({ extensions: [keyUsage('keyCertSign')] })).to.equal(
        'certificatePathNotBuilt: basicConstraintsMissing',
      )
      expect(refusalUnder({})).to.equal('certificatePathNotBuilt: basicConstraintsMissing')
      expect(refusalUnder({ extensions: [basicConstraints(false)] })).to.equal(
        'certificatePathNotBuilt: notAnAuthority',
      )
    })

    it('refuses a version 1 certificate as a CA below the anchor', () => {
      expect(refusalUnder({ version: 1 })).to.equal('certificatePathNotBuilt: basicConstraintsMissing')
    })

    it('refuses a CA whose keyUsage lacks keyCertSign', () => {
      expect(refusalUnder({ extensions: [basicConstraints(true), keyUsage('cRLSign')] })).to.equal(
        'certificatePathNotBuilt: keyUsage',
      )
    })

    it('refuses a trust anchor that is no authority', () => {
      const person = issue(undefined, { subject: 'self-made', extensions: [basicConstraints(false)] })
      expect(reasonOf(() => build(issue(person), [person]))).to.equal('certificatePathNotBuilt: notAnAuthority')
    })

    it('refuses a path that is longer than an authority or the anchor allows', () => {
      const short = issueAuthority(root, { subject: 'short', pathLength: 0 })
      const below = issueAuthority(short, { subject: 'below' })
      expect(reasonOf(() => build(issue(below), [root], [short, below]))).to.equal(
        'certificatePathNotBuilt: pathLength',
      )
      const shortRoot = issueAuthority(undefined, { subject: 'short root', pathLength: 0 })
      const under = issueAuthority(shortRoot, { subject: 'under' })
      expect(reasonOf(() => build(issue(under), [shortRoot], [under]))).to.equal('certificatePathNotBuilt: pathLength')
      expect(build(under, [shortRoot]).certificates).to.have.length(2)
    })

    it('does not count self-issued certificates into the length of a path', () => {
      const short = issueAuthority(root, { subject: 'short', pathLength: 0 })
      const renewed = issueAuthority(short, { subject: 'short' })
      expect(build(issue(renewed), [root], [short, renewed]).certificates).to.have.length(4)
    })

    it('lets a path length grow again below only as far as the first allows', () => {
      const one = issueAuthority(root, { subject: 'one', pathLength: 1 })
      const two = issueAuthority(one, { subject: 'two', pathLength: 2 })
      const three = issueAuthority(two, { subject: 'three' })
      expect(build(issue(two), [root], [one, two]).certificates).to.have.length(4)
      expect(reasonOf(() => build(issue(three), [root], [one, two, three]))).to.equal(
        'certificatePathNotBuilt: pathLength',
      )
    })
  })

  describe('validity', () => {
    const at = (time: number) => build(leaf, [root], [authority], { time })

    it('is valid from the first to the last millisecond of the leaf', () => {
      const { notBefore, notAfter } = leaf.certificate
      expect(at(notBefore).certificates).to.have.length(3)
      expect(at(notAfter).certificates).to.have.length(3)
    })

    it('refuses a leaf that has expired or is not yet valid', () => {
      expect(reasonOf(() => at(leaf.certificate.notAfter + 1))).to.match(/: expired$/)
      const late = issue(root, { from: NOW + DAY })
      expect(reasonOf(() => build(late, [root]))).to.equal('signerCertificateNotValidNow: notYetValid')
      const old = issue(root, { until: NOW - DAY })
      expect(reasonOf(() => build(old, [root]))).to.equal('signerCertificateNotValidNow: expired')
    })

    it('refuses an authority or anchor that was not valid at the time', () => {
      const expired = issueAuthority(root, { subject: 'expired', until: NOW - DAY })
      expect(reasonOf(() => build(issue(expired), [root], [expired]))).to.equal('certificatePathNotBuilt: expired')
      const oldRoot = issueAuthority(undefined, { subject: 'old root', until: NOW - DAY })
      expect(reasonOf(() => build(issue(oldRoot), [oldRoot]))).to.equal('certificatePathNotBuilt: expired')
      expect(build(issue(oldRoot), [oldRoot], [], { time: NOW - 2 * DAY }).certificates).to.have.length(2)
    })
  })

  describe('extensions', () => {
    const unknown = extension(UNKNOWN_EXTENSION, der(0x05), true)

    it('refuses an unknown critical extension in leaf, authority and anchor', () => {
      const refused = 'certificatePathNotBuilt: unknownCriticalExtension'
      expect(reasonOf(() => build(issue(root, { extensions: [unknown] }), [root]))).to.equal(refused)
      expect(refusalUnder({ extensions: [basicConstraints(true), unknown] })).to.equal(refused)
      const odd = issueAuthority(undefined, { subject: 'odd', extensions: [unknown] })
      expect(reasonOf(() => build(issue(odd), [odd]))).to.equal(refused)
    })

    it('takes an unknown extension that is not critical', () => {
      expect(build(issue(root, { extensions: [extension(UNKNOWN_EXTENSION, der(0x05))] }), [root])).to.be.an('object')
    })

    it('refuses a malformed extension that it knows, critical or not', () => {
      const malformed = extension('2.5.29.17', Buffer.from('example.com'))
      expect(reasonOf(() => build(issue(root, { extensions: [malformed] }), [root]))).to.equal(
        'certificatePathNotBuilt: certificateMalformed',
      )
    })

    it('refuses a doubled extension', () => {
      const doubled = [subjectAltName(general.dns('a.kz')), subjectAltName(general.dns('b.kz'))]
      expect(() => issue(root, { extensions: doubled })).to.throw('extension is doubled')
    })

    it('refuses names and rights that cannot be right', () => {
      expect(reasonOf(() => build(issue(root, { subject: '' }), [root]))).to.match(/: subjectEmpty$/)
      expect(reasonOf(() => build(issue(root, { serial: 0n }), [root]))).to.match(/: serialNumber$/)
      expect(reasonOf(() => build(issue(root, { serial: 1n << 160n }), [root]))).to.match(/: serialNumber$/)
      const keyCertSign = issue(root, { extensions: [basicConstraints(false), keyUsage('keyCertSign')] })
      expect(reasonOf(() => build(keyCertSign, [root]))).to.match(/: keyUsage$/)
    })

    it('refuses what an authority without a name issued', () => {
      const nameless = issueAuthority(undefined, { subject: '' })
      expect(reasonOf(() => build(issue(nameless), [nameless]))).to.equal('certificatePathNotBuilt: issuerEmpty')
    })

    it('keeps extended key usages open along the path', () => {
      const [mail, server] = ['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.1']
      const serverOnly = issueAuthority(root, { subject: 'server', extensions: [extKeyUsage(server)] })
      const person = issue(serverOnly, { extensions: [extKeyUsage(mail)] })
      const purposes = { purposes: [mail] }
      expect(reasonOf(() => build(person, [root], [serverOnly], purposes))).to.match(/: extendedKeyUsage$/)
      expect(build(person, [root], [serverOnly]).certificates).to.have.length(3)
      const open = issueAuthority(root, { subject: 'open', extensions: [extKeyUsage('2.5.29.37.0')] })
      expect(build(issue(open, { extensions: [extKeyUsage(mail)] }), [root], [open], purposes)).to.be.an('object')
    })
  })

  describe('algorithms', () => {
    it('names a key that is too short', () => {
      const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 1024 })
      const weak = issueAuthority(root, { subject: 'weak', key })
      const { details } = refusalOf(() => build(issue(weak, { subject: 'person' }), [root], [weak]))
      expect(details).to.include({ reason: 'keySize', bits: 1024, least: 2048 })
      const anchored = () => build(issue(weak), [weak])
      expect(reasonOf(anchored)).to.equal('algorithmNotTrusted: keySize')
    })

    it('names a digest that is broken, anywhere on the path', () => {
      const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const old = issueAuthority(undefined, { subject: 'old', key, hash: 'sha1' })
      for (const hash of ['sha1', 'md5'] as const) {
        const below = issueAuthority(old, { subject: 'below', hash })
        expect(reasonOf(() => build(issue(below), [old], [below]))).to.equal('algorithmNotTrusted: digest')
        expect(reasonOf(() => build(issue(old, { hash }), [old]))).to.equal('algorithmNotTrusted: digest')
      }
      // The anchor is trusted by configuration, so how it signed itself does not matter.
      expect(build(issue(old), [old]).certificates).to.have.length(2)
    })

    it('names a signature algorithm that is not known', () => {
      const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const anchor = issueAuthority(undefined, { subject: 'novel', key })
      const { code, details } = refusalOf(() => build(issue(anchor, { hash: 'sha512' }), [anchor]))
      expect(code).to.equal('certificateSignatureAlgorithmNotSupported')
      expect(details).to.include({ reason: 'unknown', algorithm: '1.3.6.1.4.1.55738.666.2' })
    })

    it('refuses an authority whose key cannot be read', () => {
      const spki = der(0x30, der(0x30, oidDer('1.2.840.113549.1.1.1'), der(0x05)), der(0x03, Buffer.of(0)))
      const broken = issueAuthority(root, { subject: 'broken', spki })
      expect(reasonOf(() => build(issue(broken), [root], [broken]))).to.equal('certificatePathNotBuilt: badKey')
    })
  })

  describe('cost', () => {
    it('stays within its budget among many CAs of one name that sign each other', () => {
      // Every one is a valid issuer of every other: without a budget there are 10! ways through, and none to the anchor.
      const keys = Array.from({ length: 10 }, () => issueAuthority(undefined, { subject: 'mesh' }))
      const mesh = keys.flatMap((by) => keys.map((of) => issueAuthority(by, { subject: 'mesh', keyOf: of })))
      const victim = issue(keys[0], { subject: 'victim' })
      const search = () => build(victim, [root], mesh, { budget: 20_000 })
      expect(reasonOf(search)).to.equal('certificatePathNotBuilt: budgetExhausted')
    })

    it('does not walk in circles of CAs that certify each other', () => {
      const a = issueAuthority(undefined, { subject: 'a' })
      const b = issueAuthority(a, { subject: 'b' })
      const crossA = issueAuthority(b, { subject: 'a', keyOf: a })
      expect(reasonOf(() => build(issue(b), [root], [a, b, crossA]))).to.match(/^certificateIssuerUnknown/)
    })

    it('refuses a path that is too long to be meant', () => {
      const chain = [root]
      for (let depth = 0; depth < 15; depth += 1)
        chain.push(issueAuthority(chain[depth], { subject: `depth ${depth}` }))
      const end = issue(chain[15])
      expect(reasonOf(() => build(end, [root], chain.slice(1)))).to.equal('certificatePathNotBuilt: pathTooLong')
    })

    it('refuses more certificates than a signature needs', () => {
      const crowd = Array.from({ length: 201 }, () => authority)
      expect(reasonOf(() => build(leaf, [root], crowd))).to.equal('certificatePathNotBuilt: tooManyCertificates')
    })
  })
})
