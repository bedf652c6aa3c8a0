import { expect } from 'chai'
import { DerError } from '#verifier/der/reader.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { der, integerDer, oidDer } from '../../support/der.js'
import { NOW } from '../../support/pki/authorities.js'
import { basicConstraints, extension, issuingDistributionPoint, reasonCode } from '../../support/pki/extensions.js'
import { commonName, issue, issueAuthority, issueCrl, timeDer } from '../../support/pki/hierarchy.js'

const ECDSA = der(0x30, oidDer('1.2.840.10045.4.3.2'))
const RSA = der(0x30, oidDer('1.2.840.113549.1.1.11'), der(0x05))
const SIGNATURE = der(0x03, Buffer.of(0), Buffer.alloc(8))
const { spki } = issue(undefined).certificate

/** What of the structure a test makes wrong. */
interface Parts {
  readonly version?: Buffer[]
  readonly serial?: Buffer
  readonly inner?: Buffer
  readonly after?: Buffer[]
}

function certificate({
  version = [der(0xa0, integerDer(2))],
  serial = integerDer(5),
  inner = ECDSA,
  after = [],
}: Parts) {
  const name = commonName('x')
  const validity = der(0x30, timeDer(NOW), timeDer(NOW))
  const tbs = der(0x30, ...version, serial, inner, name, validity, name, spki, ...after)
  return Certificate.parse(der(0x30, tbs, ECDSA, SIGNATURE))
}

function crl({ version = [integerDer(1)], inner = ECDSA, after = [] }: Parts) {
  return Crl.parse(der(0x30, der(0x30, ...version, inner, commonName('x'), timeDer(NOW), ...after), ECDSA, SIGNATURE))
}

const refuses = (parse: () => unknown, message: string) => expect(parse).to.throw(DerError, message)
const extensions = der(0xa3, der(0x30, basicConstraints(true)))

describe('malformed certificates and CRLs', () => {
  it('are read when nothing is wrong', () => {
    expect(certificate({ after: [extensions] }).version).to.equal(3)
    expect(crl({}).nextUpdate).to.equal(undefined)
  })

  it('are refused with a version that is unknown, or written where it is the default', () => {
    refuses(() => certificate({ version: [der(0xa0, integerDer(3))] }), 'version is unknown')
    refuses(() => certificate({ version: [der(0xa0, integerDer(0))] }), 'version is unknown')
    refuses(() => crl({ version: [integerDer(0)] }), 'version is unknown')
    refuses(() => crl({ version: [integerDer(2)] }), 'version is unknown')
  })

  it('are refused with fields of a later version', () => {
    refuses(() => certificate({ version: [], after: [extensions] }), 'extensions need version 3')
    const unique = der(0x81, Buffer.of(0, 1))
    refuses(() => certificate({ version: [], after: [unique] }), 'version 1')
    expect(certificate({ after: [unique] }).version).to.equal(3)
    refuses(() => crl({ version: [], after: [der(0xa0, der(0x30, basicConstraints(true)))] }), 'version 2')
  })

  it('are refused when the signed algorithm is another than the one outside', () => {
    refuses(() => certificate({ inner: RSA }), 'signature algorithms differ')
    refuses(() => crl({ inner: RSA }), 'signature algorithms differ')
    expect(certificate({ inner: der(0x30, oidDer('1.2.840.10045.4.3.2'), der(0x05)) }).version).to.equal(3)
  })

  it('are refused beyond their sizes', () => {
    refuses(() => certificate({ serial: der(0x02, Buffer.alloc(65, 1)) }), 'serial number is too long')
    refuses(() => certificate({ after: [der(0x81, Buffer.alloc(1 << 18))] }), 'too large')
    const many = Array.from({ length: 101 }, (_, index) => extension(`1.2.3.${index}`, der(0x05)))
    refuses(() => certificate({ after: [der(0xa3, der(0x30, ...many))] }), 'too many elements')
  })

  it('are refused with empty lists', () => {
    refuses(() => certificate({ after: [der(0xa3, der(0x30))] }), 'extensions are empty')
    const empty: [string, Buffer, (certificate: Certificate) => unknown][] = [
      ['2.5.29.30', der(0x30), ({ extensions }) => extensions.nameConstraints],
      ['2.5.29.30', der(0x30, der(0xa0)), ({ extensions }) => extensions.nameConstraints],
      ['2.5.29.17', der(0x30), ({ extensions }) => extensions.subjectAltName],
      ['2.5.29.37', der(0x30), ({ extensions }) => extensions.extKeyUsage],
      ['2.5.29.32', der(0x30), ({ extensions }) => extensions.certificatePolicies],
      ['2.5.29.33', der(0x30), ({ extensions }) => extensions.policyMappings],
      ['2.5.29.36', der(0x30), ({ extensions }) => extensions.policyConstraints],
      ['2.5.29.31', der(0x30), ({ extensions }) => extensions.crlDistributionPoints],
      ['2.5.29.15', der(0x03, Buffer.of(0)), ({ extensions }) => extensions.keyUsage],
      ['1.3.6.1.5.5.7.1.1', der(0x30), ({ extensions }) => extensions.authorityInfoAccess],
    ]
    for (const [oid, value, read] of empty)
      refuses(() => read(issue(undefined, { extensions: [extension(oid, value)] }).certificate), 'empty')
  })

  it('are refused with values of another type, or that nobody defined', () => {
    const wrong: [string, Buffer, (certificate: Certificate) => unknown][] = [
      ['2.5.29.14', der(0x05), ({ extensions }) => extensions.subjectKeyIdentifier],
      ['2.5.29.15', der(0x03, Buffer.of(6, 0, 0x40)), ({ extensions }) => extensions.keyUsage],
      ['2.5.29.17', der(0x30, der(0x89, Buffer.of(1))), ({ extensions }) => extensions.subjectAltName],
      ['2.5.29.17', der(0x30, der(0x87, Buffer.alloc(5))), ({ extensions }) => extensions.subjectAltName],
      ['2.5.29.17', der(0x30, der(0x87, Buffer.alloc(8))), ({ extensions }) => extensions.subjectAltName],
      ['2.5.29.32', der(0x30, policy('1.2.3'), policy('1.2.3')), ({ extensions }) => extensions.certificatePolicies],
      ['2.5.29.19', der(0x30, integerDer(1), integerDer(2)), ({ extensions }) => extensions.basicConstraints],
      [
        '2.5.29.30',
        der(0x30, der(0xa0, der(0x30, dns, integerDer(1, 0x80)))),
        ({ extensions }) => extensions.nameConstraints,
      ],
      ['2.5.29.31', der(0x30, der(0x30, der(0x81, Buffer.of(6, 0, 0x40)))), points],
      [
        '2.5.29.37',
        der(0x30, ...Array.from({ length: 201 }, () => oidDer('1.2.3'))),
        ({ extensions }) => extensions.extKeyUsage,
      ],
      ['2.5.29.54', der(0x02, Buffer.of(0xff)), ({ extensions }) => extensions.inhibitAnyPolicy],
    ]
    for (const [oid, value, read] of wrong)
      expect(() => read(issue(undefined, { extensions: [extension(oid, value)] }).certificate), oid).to.throw(DerError)
  })

  it('are refused with an RDN that has no attribute', () => {
    expect(() => issue(undefined, { subject: der(0x30, der(0x31)) })).to.throw(DerError, 'name is empty')
  })

  it('are no authorities when they write out that they are none', () => {
    const no = extension('2.5.29.19', der(0x30, der(0x01, Buffer.of(0))))
    expect(issue(undefined, { extensions: [no] }).certificate.extensions.basicConstraints?.ca).to.equal(false)
  })

  it('are refused as CRLs with entries that cannot be read', () => {
    const listed = (...fields: Buffer[]) => crl({ after: [der(0x30, ...fields)] })
    const find = (list: Crl) => list.entries.find(Buffer.of(1), list.issuer)
    const entry = (...after: Buffer[]) => der(0x30, integerDer(1), timeDer(NOW), ...after)
    expect(find(listed(entry()))?.revokedAt).to.equal(NOW)
    refuses(() => find(listed(der(0x31, integerDer(1), timeDer(NOW)))), 'not a sequence')
    refuses(() => find(listed(entry(der(0x30, reasonCode(1)), der(0x05)))), 'unexpected field')
    refuses(() => find(listed(entry(der(0x30, reasonCode(7))))), 'revocation reason is unknown')
    refuses(() => find(listed(entry(der(0x30, reasonCode(11))))), 'revocation reason is unknown')
  })

  it('are refused as CRLs whose scope contradicts itself', () => {
    const by = issueAuthority(undefined)
    expect(() => issueCrl(by, { extensions: [issuingDistributionPoint({ flags: [1, 2] })] })).to.throw(DerError)
  })
})

const policy = (oid: string): Buffer => der(0x30, oidDer(oid))
const points = ({ extensions }: Certificate) => extensions.crlDistributionPoints
const dns = der(0x82, Buffer.from('example.com'))
