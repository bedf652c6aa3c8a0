import { expect } from 'chai'
import fc from 'fast-check'
import { DerError } from '#verifier/der/reader.js'
import { RegistryError } from '#verifier/error.js'
import { buildPath } from '#verifier/path/build-path.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { generalNamesText } from '#verifier/x509/general-name.js'
import { readIdentity } from '#verifier/x509/identity.js'
import { der, nameDer } from '../../support/der.js'
import { NOW } from '../../support/pki/authorities.js'
import {
  authorityKeyIdentifier,
  certificateIssuer,
  certificatePolicies,
  distributionPoints,
  extKeyUsage,
  general,
  issuingDistributionPoint,
  nameConstraints,
  policyMappings,
  reasonCode,
  requireExplicitPolicy,
  subjectAltName,
  subjectKeyIdentifier,
} from '../../support/pki/extensions.js'
import { crlNumber, issue, issueAuthority, issueCrl } from '../../support/pki/hierarchy.js'

const root = issueAuthority(undefined, { subject: 'root' })
const issuer = root.certificate.subject.der

const rich = issueAuthority(root, {
  subject: nameDer(
    [
      ['2.5.4.3', 'Ж'],
      ['2.5.4.5', 'IIN123456789011'],
    ],
    [['2.5.4.6', 'KZ', 0x13]],
  ),
  pathLength: 3,
  extensions: [
    subjectAltName(general.email('a@b.kz'), general.ip(1, 2, 3, 4), general.directory(issuer), general.other('1.2.3')),
    nameConstraints({ permitted: [general.dns('b.kz')], excluded: [general.ip(1, 2, 3, 4, 255, 255, 255, 255)] }),
    certificatePolicies('1.2.3', '2.5.29.32.0'),
    policyMappings(['1.2.3', '1.2.4']),
    requireExplicitPolicy(2),
    extKeyUsage('1.3.6.1.5.5.7.3.4'),
    subjectKeyIdentifier('key'),
    authorityKeyIdentifier('root'),
    distributionPoints({ names: [general.uri('http://crl.test/')], reasons: [1, 2] }, { issuer }),
  ],
}).certificate.der

const crl = issueCrl(root, {
  revoked: [
    { serial: Buffer.of(1), extensions: [reasonCode(1)] },
    { serial: Buffer.of(2), extensions: [certificateIssuer(issuer)] },
  ],
  extensions: [crlNumber(5), issuingDistributionPoint({ names: [general.uri('http://crl.test/')], flags: [4] })],
}).der

/** Bytes with some replaced, inserted or taken away. */
const mutations = (bytes: Uint8Array) =>
  fc
    .array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255), fc.constantFrom('replace', 'insert', 'remove', 'flip')), {
      minLength: 1,
      maxLength: 6,
    })
    .map((changes) => {
      const mutant = [...bytes]
      for (const [at, octet, change] of changes) {
        if (change === 'insert') mutant.splice(at, 0, octet)
        else if (change === 'remove') mutant.splice(at, 1)
        else mutant[at] = change === 'flip' ? (mutant[at] ?? 0) ^ (1 << (octet & 7)) : octet
      }
      return Buffer.from(mutant)
    })

/** Runs everything that is done with a certificate; only our own errors may leave it. */
function use(bytes: Uint8Array): void {
  const certificate = Certificate.parse(bytes)
  const { subject, extensions } = certificate
  subject.toString()
  void subject.rdns
  void subject.key
  generalNamesText(extensions.subjectAltName ?? [])
  readIdentity(certificate)
  const trust = { anchors: [root.certificate], intermediates: [], crls: [Crl.parse(crl)] }
  buildPath(certificate, { trust, time: NOW, candidates: [certificate] })
  buildPath(issue(root).certificate, { trust: { ...trust, anchors: [certificate] }, time: NOW })
}

function judgedBy(bytes: Uint8Array): void {
  const crls = [Crl.parse(bytes)]
  const trust = { anchors: [root.certificate], intermediates: [], crls }
  crls[0]?.entries.find(Buffer.of(2), root.certificate.subject)
  buildPath(Certificate.parse(rich), { trust, time: NOW, crlUse: 'required' })
}

function onlyOurErrors(run: () => void): boolean {
  try {
    run()
  } catch (error) {
    if (!(error instanceof DerError || error instanceof RegistryError)) throw error
  }
  return true
}

describe('hostile bytes', () => {
  it('leave nothing but coded errors when a certificate is mutated', () => {
    fc.assert(
      fc.property(mutations(rich), (mutant) => onlyOurErrors(() => use(mutant))),
      { numRuns: 3000 },
    )
  })

  it('leave nothing but coded errors when a CRL is mutated', () => {
    fc.assert(
      fc.property(mutations(crl), (mutant) => onlyOurErrors(() => judgedBy(mutant))),
      { numRuns: 3000 },
    )
  })

  it('leave nothing but coded errors when they are random', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        [use, judgedBy].every((run) => onlyOurErrors(() => run(bytes))),
      ),
      { numRuns: 2000 },
    )
  })

  it('never make a certificate with one changed byte hold', () => {
    const leaf = issue(root, { subject: 'person' }).certificate.der
    const trust = { anchors: [root.certificate], intermediates: [] }
    for (let at = 0; at < leaf.length; at += 1) {
      const mutant = Buffer.from(leaf)
      mutant[at] = (mutant[at] as number) ^ (1 << (at % 8))
      expect(() => buildPath(Certificate.parse(mutant), { trust, time: NOW }), `byte ${at}`).to.throw()
    }
  })

  it('nest as deep as they like without reaching the end of the stack', () => {
    let nested: Uint8Array = der(0x05)
    for (let depth = 0; depth < 20_000; depth += 1) nested = der(0x30, nested.subarray(0, 60_000))
    onlyOurErrors(() => use(nested))
    onlyOurErrors(() => judgedBy(nested))
  })
})
