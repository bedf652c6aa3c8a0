import { spawnSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { integer, NULL, oid, sequence } from '#dev-authorities/der/writer.js'
import { generateKey } from '#dev-authorities/keys.js'
import { pem } from '#dev-authorities/pem.js'
import { defaultAlgorithmPolicy } from '#verifier/algorithms/policy.js'
import { publicKey } from '#verifier/algorithms/public-key.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { buildPath } from '#verifier/path/build-path.js'
import { verifyOcsp } from '#verifier/status/verify-ocsp.js'
import { verifyTimeStamp } from '#verifier/timestamp/verify-time-stamp.js'
import { verify } from '#verifier/verify.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { BOUNCY_CASTLE } from '../../support/pki/bouncy-castle.js'
import { buildCms, honestAttributes } from '../../support/pki/build-cms.js'
import { issue, issueAuthority, issueCrl } from '../../support/pki/hierarchy.js'
import { answer, basicResponse, ocspResponder } from '../../support/pki/ocsp-answers.js'
import { inFolder, openssl } from '../../support/pki/openssl.js'
import { timeStamper, tokenOf, tstInfo } from '../../support/pki/tokens.js'
import { trustOf } from '../../support/pki/trust.js'
import { expectRefusal, refusalOf } from '../../support/refusal.js'

const DATA = Buffer.from('a document')
const authorities = testAuthorities()
const trust = trustOf(authorities)
const pemOf = (der: Uint8Array) => pem('CERTIFICATE', Buffer.from(der))

const KINDS = [
  ['ed25519', '1.3.101.112', 'ed25519'],
  ['ed448', '1.3.101.113', 'ed448'],
  ['brainpool256', '1.3.36.3.3.2.8.1.1.7', 'ec -pkeyopt ec_paramgen_curve:brainpoolP256r1'],
  ['brainpool384', '1.3.36.3.3.2.8.1.1.11', 'ec -pkeyopt ec_paramgen_curve:brainpoolP384r1'],
  ['brainpool512', '1.3.36.3.3.2.8.1.1.13', 'ec -pkeyopt ec_paramgen_curve:brainpoolP512r1'],
] as const

for (const [kind, curve, keyOptions] of KINDS)
  describe(`keys of ${kind}`, () => {
    const person = authorities.person({ algorithm: kind })
    const options = { trust, at: NOW, document: DATA }
    const ended = { ...defaultAlgorithmPolicy, curvesTrustedUntil: { [curve]: NOW } }

    it('sign CMS', () => {
      const cms = person.signCms(DATA, { timeStamp: true, ocsp: true })
      expect(verify(cms, options).indication).to.equal('TOTAL-PASSED')
      expect(verify(cms, { ...options, document: Buffer.from('another') }).indication).to.equal('TOTAL-FAILED')
      const refused = verify(cms, { ...options, algorithms: ended })
      expect(refused.subIndication).to.equal('CRYPTO_CONSTRAINTS_FAILURE_NO_POE')
      const forged = Buffer.from(cms)
      const value = Buffer.from(readCms(cms).signatureValue)
      const at = forged.indexOf(value) + value.length - 3
      forged[at] = forged.readUInt8(at) ^ 1
      expect(refusalOf(() => readCms(forged)).details?.reason).to.equal('signatureValue')
    })

    it('sign XML', () => {
      const { document } = person.signXml('<a>text</a>', { timeStamp: true, ocsp: true })
      const { signatures } = verify(document, { trust, at: NOW })
      expect(signatures.map(({ conclusion, refusal }) => refusal?.details?.reason ?? conclusion)).to.deep.equal([
        'validAt',
      ])
      const [changed] = verify(document.replace('text', 'test'), { trust, at: NOW }).signatures
      expect(changed?.conclusion).to.equal('refused')
    })

    it('sign certificates and CRLs, as OpenSSL reads them', () => {
      const key = () => createPrivateKey(generateKey(kind).toPem())
      const root = issueAuthority(undefined, { subject: `root ${kind}`, key: key() })
      const issuing = issueAuthority(root, { subject: `issuing ${kind}`, key: key() })
      const [good, bad] = [issue(issuing, { subject: 'good' }), issue(issuing, { subject: 'bad' })]
      const crls = [issueCrl(root), issueCrl(issuing, { revoked: [{ serial: bad.certificate.serialBytes }] })]
      const own = { anchors: [root.certificate], intermediates: [issuing.certificate], crls }
      const path = (leaf: Certificate, changes = {}) =>
        buildPath(leaf, { trust: own, time: NOW, crlUse: 'required', ...changes })
      path(good.certificate)
      expectRefusal('invalidCertificateStatus', 'revoked', () => path(bad.certificate))
      expectRefusal('algorithmNotTrusted', 'curve', () => path(good.certificate, { algorithms: ended }))
      const files = {
        'root.pem': pemOf(root.certificate.der),
        'issuing.pem': pemOf(issuing.certificate.der),
        'crls.pem': crls.map(({ der }) => pem('X509 CRL', Buffer.from(der))).join(''),
      }
      const command = `verify -attime ${NOW / 1000} -crl_check_all -CAfile root.pem -untrusted issuing.pem -CRLfile crls.pem`
      for (const [leaf, expected] of [
        [good, true],
        [bad, false],
      ] as const)
        openssl(`${command} leaf.pem`, { ...files, 'leaf.pem': pemOf(leaf.certificate.der) }, ({ ok, output }) =>
          expect(ok, output).to.equal(expected),
        )
    })

    it('sign OCSP answers and time stamps', () => {
      const responder = ocspResponder(authorities, { kind })
      const subject = authorities.person({ issuer: 'rsa' })
      const response = basicResponse(responder, [answer(subject.certificate, subject.issuer)])
      const [certificate, issuer] = [Certificate.parse(subject.certificate), Certificate.parse(subject.issuer)]
      const context = { certificate, issuer, trust, time: NOW, now: NOW }
      verifyOcsp(response, context)
      expect(refusalOf(() => verifyOcsp(response, { ...context, algorithms: ended })).code).to.equal(
        'algorithmNotTrusted',
      )
      const token = tokenOf(timeStamper(authorities, { kind }), tstInfo(DATA))
      expect(verifyTimeStamp(token, DATA, { trust, now: NOW }).genTime).to.equal(NOW)
      expect(refusalOf(() => verifyTimeStamp(token, DATA, { trust, now: NOW, algorithms: ended })).code).to.equal(
        'algorithmNotTrusted',
      )
    })

    it('are read from certificates that OpenSSL made', () => {
      const leaf = inFolder({}, (folder) => {
        const run = (args: string) => {
          const { status, stderr } = spawnSync('openssl', args.split(' '), { cwd: folder, encoding: 'utf8' })
          expect(status, stderr).to.equal(0)
        }
        for (const name of ['ca', 'leaf']) run(`genpkey -algorithm ${keyOptions} -out ${name}.key`)
        run('req -x509 -new -key ca.key -subj /CN=ca -addext keyUsage=critical,keyCertSign -out ca.pem')
        run('req -new -key leaf.key -subj /CN=leaf -out leaf.csr')
        run('x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -set_serial 5 -out leaf.pem')
        const read = (name: string) => Certificate.parse(new X509Certificate(readFileSync(join(folder, name))).raw)
        const made = read('leaf.pem')
        buildPath(made, { trust: { anchors: [read('ca.pem')], intermediates: [] }, time: made.notBefore + 1000 })
        if (!kind.startsWith('brainpool')) return made
        // OpenSSL 3.0 signs no CMS with the others.
        run('cms -sign -binary -cades -in leaf.csr -signer leaf.pem -inkey leaf.key -outform DER -out leaf.p7s')
        expect(readCms(readFileSync(join(folder, 'leaf.p7s'))).certificateNamed).to.equal(true)
        return made
      })
      expect(leaf.publicKey.curve?.oid).to.equal(curve)
    })
  })

describe('CMS by BouncyCastle', () => {
  for (const [name, cms] of Object.entries(BOUNCY_CASTLE))
    it(`is accepted with ${name}`, () => {
      const read = readCms(Buffer.from(cms, 'base64'))
      expect(read.signer.publicKey.curve?.name).to.equal(name)
      expect(Buffer.from(read.content ?? []).toString()).to.equal('a document')
    })
})

describe('the digest of CMS with', () => {
  const shake256 = '2.16.840.1.101.3.4.2.18'
  const cmsOf = (algorithm: 'ed25519' | 'ed448', digestAlgorithm: Buffer, hash: 'sha256' | 'sha512' | 'shake256') => {
    const signer = authorities.person({ algorithm })
    return buildCms(DATA, {
      signers: [{ signer, hash, digestAlgorithm, signedAttributes: honestAttributes(DATA, signer, hash) }],
      digestAlgorithms: [digestAlgorithm],
    })
  }
  const sha = (arc: number, ...parameters: Buffer[]) => sequence(oid(`2.16.840.1.101.3.4.2.${arc}`), ...parameters)

  it('Ed25519 is SHA-512 (RFC 8419, 3.1)', () => {
    readCms(cmsOf('ed25519', sha(3), 'sha512'))
    readCms(cmsOf('ed25519', sha(3, NULL), 'sha512'))
    expectRefusal('signatureAlgorithmNotSupported', 'digestContradicts', () =>
      readCms(cmsOf('ed25519', sha(1), 'sha256')),
    )
  })
  it('Ed448 is SHAKE256 with 512 bits, which its parameters say', () => {
    readCms(cmsOf('ed448', sha(18, integer(512)), 'shake256'))
    expectRefusal('signatureAlgorithmNotSupported', 'digestContradicts', () =>
      readCms(cmsOf('ed448', sha(3), 'sha512')),
    )
    for (const wrong of [sha(18), sha(18, NULL), sha(18, integer(256)), sha(18, integer(1024))])
      expectRefusal('digestAlgorithmNotSupported', 'parameters', () => readCms(cmsOf('ed448', wrong, 'shake256')))
    expectRefusal('digestAlgorithmNotSupported', 'unknown', () => readCms(cmsOf('ed448', sha(12), 'shake256')))
  })
  it('falls with the policy', () => {
    const signer = authorities.person({ algorithm: 'ed448' })
    const algorithms = { ...defaultAlgorithmPolicy, digestsTrustedUntil: { [shake256]: NOW } }
    const options = { trust, document: DATA, algorithms }
    const cms = signer.signCms(DATA, { ocsp: true })
    expect(verify(cms, { ...options, at: NOW - 1 }).subIndication).to.equal(undefined)
    expect(verify(cms, { ...options, at: NOW }).subIndication).to.equal('CRYPTO_CONSTRAINTS_FAILURE_NO_POE')
  })
})

describe('a key on a curve of Brainpool', () => {
  const spki = generateKey('brainpool256').spki
  const named = sequence(oid('1.2.840.10045.2.1'), oid('1.3.36.3.3.2.8.1.1.7'))
  const refuse = (title: string, make: () => Buffer) =>
    it(`is refused ${title}`, () => {
      expectRefusal('signatureAlgorithmNotSupported', 'badKey', () => publicKey(make()))
    })
  const withPoint = (point: Buffer) => sequence(named, Buffer.concat([Buffer.of(0x03, point.length + 1, 0), point]))
  const point = spki.subarray(-65)

  it('may be compressed', () => {
    const compressed = Buffer.concat([Buffer.of(2 + (point.readUInt8(64) & 1)), point.subarray(1, 33)])
    const signer = generateKey('brainpool256')
    expect(publicKey(withPoint(compressed)).bits).to.equal(256)
    expect(publicKey(signer.spki).curve?.name).to.equal('brainpoolP256r1')
  })
  refuse('when its parameters are written out (RFC 5480, 2.1.1)', () =>
    openssl(
      'genpkey -algorithm ec -pkeyopt ec_paramgen_curve:brainpoolP256r1 -pkeyopt ec_param_enc:explicit -out key',
      {},
      ({ file }) =>
        openssl('pkey -in key -pubout -outform DER -out spki', { key: file('key') }, (made) => made.file('spki')),
    ),
  )
  refuse('beside its curve', () => {
    const beside = Buffer.from(point)
    beside[64] = beside.readUInt8(64) ^ 1
    return withPoint(beside)
  })
  refuse('at infinity', () => withPoint(Buffer.of(0)))
  refuse('in the hybrid form', () =>
    withPoint(Buffer.concat([Buffer.of(6 + (point.readUInt8(64) & 1)), point.subarray(1)])),
  )
  refuse('on a curve of 224 bits', () =>
    openssl('genpkey -algorithm ec -pkeyopt ec_paramgen_curve:brainpoolP224r1 -out key', {}, ({ file }) =>
      openssl('pkey -in key -pubout -outform DER -out spki', { key: file('key') }, (made) => made.file('spki')),
    ),
  )
})
