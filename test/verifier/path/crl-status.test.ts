import { expect } from 'chai'
import { buildPath } from '#verifier/path/build-path.js'
import type { PathContext } from '#verifier/path/path-context.js'
import type { Crl } from '#verifier/x509/crl.js'
import { der, oidDer } from '../../support/der.js'
import { DAY, NOW } from '../../support/pki/authorities.js'
import {
  authorityKeyIdentifier,
  certificateIssuer,
  distributionPoints,
  extension,
  general,
  issuingDistributionPoint,
  keyUsage,
  reasonCode,
} from '../../support/pki/extensions.js'
import { crlNumber, deltaCrl, type Entity, issue, issueAuthority, issueCrl } from '../../support/pki/hierarchy.js'
import { reasonOf, refusalOf } from '../../support/refusal.js'

const root = issueAuthority(undefined, { subject: 'root' })
const leaf = issue(root, { subject: 'person' })
const serial = leaf.certificate.serialBytes
const [KEY_COMPROMISE, HOLD, REMOVE_FROM_CRL] = [1, 6, 8]
const [USER, AUTHORITY, INDIRECT, ATTRIBUTE] = [1, 2, 4, 5]

type Options = Partial<Omit<PathContext, 'trust'>> & { readonly intermediates?: readonly Entity[] }

const build = (entity: Entity, crls: readonly Crl[], { intermediates = [], ...options }: Options = {}) => {
  const trust = {
    anchors: [root.certificate],
    intermediates: intermediates.map(({ certificate }) => certificate),
    crls,
  }
  return buildPath(entity.certificate, { trust, time: NOW, crlUse: 'required', ...options })
}

const judge = (entity: Entity, crls: readonly Crl[], options: Options = {}): string => {
  try {
    build(entity, crls, options)
    return 'good'
  } catch {
    return reasonOf(() => build(entity, crls, options)).replace('invalidCertificateStatus: ', '')
  }
}

const unknown = extension('1.3.6.1.4.1.55738.666.1', der(0x05), true)

describe('status by CRL', () => {
  it('is good when a current CRL of the issuer does not list the certificate', () => {
    expect(judge(leaf, [issueCrl(root)])).to.equal('good')
    expect(judge(leaf, [issueCrl(root, { revoked: [{ serial: Buffer.of(9, ...serial) }] })])).to.equal('good')
  })

  it('is revoked then, with time and reason', () => {
    const at = NOW - DAY
    const crl = issueCrl(root, { revoked: [{ serial, at, extensions: [reasonCode(KEY_COMPROMISE)] }] })
    expect(refusalOf(() => build(leaf, [crl])).details).to.include({
      reason: 'revoked',
      revokedAt: at,
      revocationReason: 'keyCompromise',
      at: NOW,
    })
  })

  it('ignores a revocation after the time in question, and counts one before it', () => {
    const crl = issueCrl(root, { revoked: [{ serial, at: NOW - DAY }] })
    expect(judge(leaf, [crl], { time: NOW - 2 * DAY, now: NOW })).to.equal('good')
    expect(judge(leaf, [crl], { time: NOW - DAY, now: NOW })).to.equal('revoked')
  })

  it('determines the status anew for every time', () => {
    const crls = [issueCrl(root, { revoked: [{ serial, at: NOW - DAY }] })]
    const trust = { anchors: [root.certificate], intermediates: [], crls }
    const at = (time: number) => buildPath(leaf.certificate, { trust, time, now: NOW })
    expect(at(NOW - 2 * DAY).certificates).to.have.length(2)
    expect(reasonOf(() => at(NOW))).to.equal('invalidCertificateStatus: revoked')
  })

  it('counts a revocation that is dated later than the CRL that lists it', () => {
    expect(judge(leaf, [issueCrl(root, { revoked: [{ serial, at: NOW + DAY }] })])).to.equal('revoked')
  })

  it('is undetermined without a CRL, which is refused where a status is required', () => {
    expect(judge(leaf, [])).to.equal('undetermined')
    expect(judge(leaf, [], { crlUse: 'whenKnown' })).to.equal('good')
    expect(judge(leaf, [], { crlUse: 'none' })).to.equal('good')
  })

  it('refuses a revoked certificate even where no status is required', () => {
    const crls = [issueCrl(root, { revoked: [{ serial }] })]
    expect(judge(leaf, crls, { crlUse: 'whenKnown' })).to.equal('revoked')
    expect(judge(leaf, crls, { crlUse: 'none' })).to.equal('good')
  })

  it('looks at every authority on the path', () => {
    const authority = issueAuthority(root, { subject: 'authority' })
    const person = issue(authority)
    const revoked = [{ serial: authority.certificate.serialBytes }]
    const intermediates = [authority]
    expect(judge(person, [issueCrl(root), issueCrl(authority)], { intermediates })).to.equal('good')
    expect(judge(person, [issueCrl(root, { revoked }), issueCrl(authority)], { intermediates })).to.equal('revoked')
    expect(judge(person, [issueCrl(authority)], { intermediates })).to.equal('undetermined')
  })

  it('finds each of very many entries', () => {
    const revoked = Array.from({ length: 20_000 }, (_, index) => ({
      serial: Buffer.from(`1${index}`.padStart(8, '0')),
    }))
    const crl = issueCrl(root, { revoked })
    const issuer = root.certificate.subject
    expect(revoked.every((entry) => crl.entries.find(entry.serial, issuer) !== undefined)).to.equal(true)
    expect(judge(leaf, [crl])).to.equal('good')
    expect(judge(leaf, [issueCrl(root, { revoked: [...revoked, { serial }] })])).to.equal('revoked')
  })

  describe('time of the CRL', () => {
    it('refuses a stale CRL, or one without nextUpdate, as proof of a good status', () => {
      expect(judge(leaf, [issueCrl(root, { thisUpdate: NOW - 2 * DAY, nextUpdate: NOW - DAY })])).to.equal(
        'undetermined',
      )
      expect(judge(leaf, [issueCrl(root, { nextUpdate: null })])).to.equal('undetermined')
    })

    it('refuses a CRL from the future', () => {
      expect(judge(leaf, [issueCrl(root, { thisUpdate: NOW + DAY, nextUpdate: NOW + 2 * DAY })])).to.equal(
        'undetermined',
      )
    })

    it('takes the revocation that a stale CRL lists, but not its hold', () => {
      const stale = { thisUpdate: NOW - 2 * DAY, nextUpdate: NOW - DAY }
      const at = NOW - 3 * DAY
      expect(judge(leaf, [issueCrl(root, { ...stale, revoked: [{ serial, at }] })])).to.equal('revoked')
      const hold = [{ serial, at, extensions: [reasonCode(HOLD)] }]
      expect(judge(leaf, [issueCrl(root, { ...stale, revoked: hold })])).to.equal('undetermined')
    })

    it('takes a later CRL for an earlier time only while the certificate had not expired', () => {
      const short = issue(root, { until: NOW - 5 * DAY })
      const time = NOW - 10 * DAY
      const crl = (thisUpdate: number) => issueCrl(root, { thisUpdate, nextUpdate: NOW + DAY })
      expect(judge(short, [crl(NOW - 6 * DAY)], { time, now: NOW })).to.equal('good')
      expect(judge(short, [crl(NOW - 4 * DAY)], { time, now: NOW })).to.equal('undetermined')
    })

    it('prefers the newest CRL', () => {
      const old = issueCrl(root, { thisUpdate: NOW - 2 * DAY })
      const fresh = issueCrl(root, { revoked: [{ serial }] })
      expect(judge(leaf, [old, fresh])).to.equal('revoked')
    })
  })

  describe('who signed it', () => {
    it('refuses a CRL with a wrong signature', () => {
      const impostor = issueAuthority(undefined, { subject: 'root' })
      expect(judge(leaf, [issueCrl(impostor)])).to.equal('undetermined')
    })

    it('refuses a CRL of another authority', () => {
      const other = issueAuthority(root, { subject: 'other' })
      expect(judge(leaf, [issueCrl(other)], { intermediates: [other] })).to.equal('undetermined')
      expect(
        judge(leaf, [issueCrl(other, { issuer: root.certificate.subject.der as Buffer })], { intermediates: [other] }),
      ).to.equal('undetermined')
    })

    it('refuses a signer whose keyUsage lacks cRLSign', () => {
      const silent = issueAuthority(root, { subject: 'silent' })
      const noCrl = issue(root, { subject: 'silent', keyOf: silent, extensions: [keyUsage('digitalSignature')] })
      const person = issue(silent)
      expect(judge(person, [issueCrl(root), issueCrl(silent)], { intermediates: [silent] })).to.equal('good')
      const signer = issue(root, { subject: 'root', extensions: [keyUsage('digitalSignature')] })
      expect(judge(leaf, [issueCrl(signer)], { intermediates: [signer, noCrl] })).to.equal('undetermined')
    })

    it('ignores unusable certificates of the signer', () => {
      const unreadable = issue(root, { subject: 'root', extensions: [extension('2.5.29.15', der(0x05), true)] })
      const keyless = issue(root, {
        subject: 'root',
        spki: der(0x30, der(0x30, oidDer('1.2.3')), der(0x03, Buffer.of(0))),
      })
      const signer = issue(root, { subject: 'root', extensions: [keyUsage('cRLSign')] })
      expect(judge(leaf, [issueCrl(signer)], { intermediates: [unreadable, keyless, signer] })).to.equal('good')
    })

    it('takes a separate CRL signing key of the issuer, unless that key is revoked', () => {
      const names = [general.uri('http://crl.test/signers')]
      const crlOfSigner = issuingDistributionPoint({ names })
      const signer = issue(root, { subject: 'root', extensions: [keyUsage('cRLSign'), distributionPoints({ names })] })
      const intermediates = [signer]
      const crl = issueCrl(signer)
      expect(judge(leaf, [crl], { intermediates })).to.equal('good')
      const revoked = [{ serial: signer.certificate.serialBytes }]
      expect(judge(leaf, [issueCrl(signer, { revoked })], { intermediates })).to.equal('undetermined')
      // A newer CRL that the revoked key signed for itself does not help it.
      const byRoot = issueCrl(root, { revoked, thisUpdate: NOW - DAY, extensions: [crlOfSigner] })
      expect(judge(leaf, [crl, byRoot], { intermediates })).to.equal('undetermined')
    })
  })

  describe('extensions', () => {
    it('does not use a CRL with an unknown critical extension, of its own or of an entry', () => {
      expect(judge(leaf, [issueCrl(root, { extensions: [unknown] })])).to.equal('undetermined')
      const revoked = [{ serial: Buffer.of(1), extensions: [unknown] }]
      expect(judge(leaf, [issueCrl(root, { revoked })])).to.equal('undetermined')
    })

    it('does not use a CRL that lists a certificate twice', () => {
      const entry = { serial: Buffer.of(1) }
      expect(judge(leaf, [issueCrl(root, { revoked: [entry, entry] })])).to.equal('undetermined')
    })

    it('keeps to the kind of certificates that the CRL is about', () => {
      const about = (kind: number) => [issueCrl(root, { extensions: [issuingDistributionPoint({ flags: [kind] })] })]
      const authority = issueAuthority(root)
      expect([USER, AUTHORITY, ATTRIBUTE].map((kind) => judge(leaf, about(kind)))).to.deep.equal([
        'good',
        'undetermined',
        'undetermined',
      ])
      expect([USER, AUTHORITY, ATTRIBUTE].map((kind) => judge(authority, about(kind)))).to.deep.equal([
        'undetermined',
        'good',
        'undetermined',
      ])
    })

    it('matches distribution points by name', () => {
      const names = [general.uri('http://crl.test/1')]
      const pointed = issue(root, { extensions: [distributionPoints({ names })] })
      const crl = (...uris: string[]) =>
        issueCrl(root, { extensions: [issuingDistributionPoint({ names: uris.map(general.uri) })] })
      expect(judge(pointed, [crl('http://crl.test/2', 'http://crl.test/1')])).to.equal('good')
      expect(judge(pointed, [crl('http://crl.test/2')])).to.equal('undetermined')
      expect(judge(leaf, [crl('http://crl.test/1')])).to.equal('undetermined')
    })

    it('needs CRLs for all reasons together', () => {
      const some = (...reasons: number[]) => issueCrl(root, { extensions: [issuingDistributionPoint({ reasons })] })
      expect(judge(leaf, [some(1, 2)])).to.equal('undetermined')
      expect(judge(leaf, [some(1, 2), some(3, 4, 5)])).to.equal('undetermined')
      expect(judge(leaf, [some(1, 2), some(3, 4, 5), some(6, 7, 8)])).to.equal('good')
    })
  })

  describe('delta CRLs', () => {
    const base = (revoked: Parameters<typeof issueCrl>[1] = {}) =>
      issueCrl(root, { ...revoked, thisUpdate: NOW - DAY, extensions: [crlNumber(5)] })
    const delta = (from: number, number: number, revoked: { serial: Uint8Array; extensions?: Buffer[] }[] = []) =>
      issueCrl(root, { revoked, extensions: [crlNumber(number), deltaCrl(from)] })

    it('add revocations to the complete CRL that they continue', () => {
      expect(judge(leaf, [base(), delta(5, 6)])).to.equal('good')
      expect(judge(leaf, [base(), delta(5, 6, [{ serial }])])).to.equal('revoked')
    })

    it('revoke permanently by themselves, without their complete CRL and even if newer ones omit the entry', () => {
      const hold = { serial, extensions: [reasonCode(6)] }
      for (const [from, number] of [
        [6, 7],
        [3, 4],
      ] as const) {
        expect(judge(leaf, [base(), delta(from, number, [{ serial }])])).to.equal('revoked')
        expect(judge(leaf, [base(), delta(from, number, [hold])])).to.equal('good')
      }
      expect(judge(leaf, [delta(5, 6, [{ serial }])])).to.equal('revoked')
      expect(judge(leaf, [base(), delta(5, 7), delta(5, 6, [{ serial }])])).to.equal('revoked')
    })

    it('end a hold by removeFromCRL, and nothing else', () => {
      const listed = (reason: number) => base({ revoked: [{ serial, extensions: [reasonCode(reason)] }] })
      const removal = delta(5, 6, [{ serial, extensions: [reasonCode(8)] }])
      expect(judge(leaf, [listed(6), removal])).to.equal('good')
      expect(judge(leaf, [listed(1), removal])).to.equal('revoked')
    })

    it('continue a complete CRL of the same scope, key and numbers only', () => {
      const [ours, other] = [authorityKeyIdentifier('ours'), authorityKeyIdentifier('other')]
      const userCertificates = issuingDistributionPoint({ flags: [USER] })
      const scoped = (...extensions: Buffer[]) => {
        const complete = issueCrl(root, { thisUpdate: NOW - DAY, extensions: [crlNumber(5), ours] })
        return [complete, issueCrl(root, { revoked: [{ serial, extensions: [reasonCode(6)] }], extensions })]
      }
      expect(judge(leaf, scoped(crlNumber(6), deltaCrl(5), ours))).to.equal('revoked')
      expect(judge(leaf, scoped(crlNumber(6), deltaCrl(5), other))).to.equal('good')
      expect(judge(leaf, scoped(crlNumber(6), deltaCrl(5)))).to.equal('good')
      expect(judge(leaf, scoped(crlNumber(6), deltaCrl(5), ours, userCertificates))).to.equal('good')
      expect(judge(leaf, scoped(deltaCrl(5), ours))).to.equal('good')
    })

    it('keep a complete CRL current that has run out', () => {
      const old = issueCrl(root, { thisUpdate: NOW - 2 * DAY, nextUpdate: NOW - DAY, extensions: [crlNumber(5)] })
      expect(judge(leaf, [old])).to.equal('undetermined')
      expect(judge(leaf, [old, delta(5, 6)])).to.equal('good')
    })

    it('prove nothing by themselves', () => {
      expect(judge(leaf, [delta(5, 6)])).to.equal('undetermined')
    })

    it('do not make up for a complete CRL that must not be used', () => {
      const odd = issueCrl(root, {
        revoked: [{ serial: Buffer.of(9), extensions: [unknown] }],
        extensions: [crlNumber(5)],
      })
      const released = issueCrl(root, {
        revoked: [{ serial, extensions: [reasonCode(REMOVE_FROM_CRL)] }],
        extensions: [crlNumber(6), deltaCrl(5)],
      })
      expect(judge(leaf, [odd, released])).to.equal('undetermined')
    })

    it('that must not be used take nothing from the complete CRL, nor from an older one', () => {
      const complete = issueCrl(root, { revoked: [{ serial }], extensions: [crlNumber(5)] })
      const empty = issueCrl(root, { extensions: [crlNumber(5)] })
      const odd = issueCrl(root, {
        thisUpdate: NOW - 500,
        revoked: [{ serial: Buffer.of(9), extensions: [unknown] }],
        extensions: [crlNumber(7), deltaCrl(5)],
      })
      const older = issueCrl(root, { revoked: [{ serial }], extensions: [crlNumber(6), deltaCrl(5)] })
      expect(judge(leaf, [complete, odd])).to.equal('revoked')
      expect(judge(leaf, [complete, odd], { crlUse: 'whenKnown' })).to.equal('revoked')
      expect(judge(leaf, [empty, odd])).to.equal('good')
      expect(judge(leaf, [empty, odd, older])).to.equal('revoked')
    })

    it('take a certificate off hold', () => {
      const held = base({ revoked: [{ serial, at: NOW - 2 * DAY, extensions: [reasonCode(HOLD)] }] })
      expect(judge(leaf, [held])).to.equal('revoked')
      const removed = [{ serial, extensions: [reasonCode(REMOVE_FROM_CRL)] }]
      expect(judge(leaf, [held, delta(5, 6, removed)])).to.equal('good')
    })
  })

  describe('indirect CRLs', () => {
    const clerk = issue(root, { subject: 'clerk', extensions: [keyUsage('cRLSign')] })
    const issuer = clerk.certificate.subject.der
    const pointed = issue(root, { subject: 'pointed', extensions: [distributionPoints({ issuer })] })
    const ours = pointed.certificate.serialBytes
    const scope = issuingDistributionPoint({ flags: [INDIRECT] })
    const options = { intermediates: [clerk] }
    const rootName = root.certificate.subject.der

    it('speak for the certificates that name their issuer', () => {
      const crls = [issueCrl(clerk, { extensions: [scope] }), issueCrl(root)]
      expect(judge(pointed, crls, options)).to.equal('good')
      const revoked = [{ serial: ours, extensions: [certificateIssuer(rootName)] }]
      expect(judge(pointed, [issueCrl(clerk, { extensions: [scope], revoked }), issueCrl(root)], options)).to.equal(
        'revoked',
      )
    })

    it('carry the certificate issuer on to the entries that follow', () => {
      const revoked = [{ serial: Buffer.of(1), extensions: [certificateIssuer(rootName)] }, { serial: ours }]
      expect(judge(pointed, [issueCrl(clerk, { extensions: [scope], revoked }), issueCrl(root)], options)).to.equal(
        'revoked',
      )
    })

    it('do not revoke the same serial number of another issuer', () => {
      const crls = [issueCrl(clerk, { extensions: [scope], revoked: [{ serial: ours }] }), issueCrl(root)]
      expect(judge(pointed, crls, options)).to.equal('good')
    })

    it('must say that they are indirect, and be named by the certificate', () => {
      const revoked = [{ serial: ours, extensions: [certificateIssuer(rootName)] }]
      const clerkOnly = issue(root, { extensions: [distributionPoints({ issuer })] })
      expect(judge(clerkOnly, [issueCrl(clerk)], options)).to.equal('undetermined')
      expect(judge(leaf, [issueCrl(clerk, { extensions: [scope], revoked })], options)).to.equal('undetermined')
    })
  })
})
