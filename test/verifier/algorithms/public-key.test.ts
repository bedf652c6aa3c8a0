import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect } from 'chai'
import { readAlgorithmIdentifier } from '#verifier/algorithms/algorithm-identifier.js'
import { defaultAlgorithmPolicy, requireTrusted } from '#verifier/algorithms/policy.js'
import { publicKey } from '#verifier/algorithms/public-key.js'
import { signatureScheme } from '#verifier/algorithms/signature-scheme.js'
import { xmlSignatureScheme } from '#verifier/algorithms/xml-signature-scheme.js'
import { readDer } from '#verifier/der/reader.js'
import { writeElement } from '#verifier/der/writer.js'
import { algorithm, integer, keyPairs, nul, oid, oids, seq, signPss } from '../../support/cms-recipe.js'
import { expectRefusal } from '../../support/refusal.js'

const DATA = Buffer.from('data')
const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
const bits = (bytes: Uint8Array) => writeElement(0x03, Uint8Array.of(0), bytes)
const identifier = (der: Uint8Array) => readAlgorithmIdentifier(readDer(der))
const P256 = '1.2.840.10045.3.1.7'
const EC = '1.2.840.10045.2.1'
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'

describe('a public key', () => {
  it('is imported once', () => {
    const spki = spkiOf(keyPairs.rsa().publicKey)
    expect(publicKey(spki)).to.equal(publicKey(Buffer.from(spki)))
  })

  it('does not change when the bytes that it was read from do', () => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const spki = spkiOf(keys.publicKey)
    const key = publicKey(spki)
    spki.fill(0)
    expect(createHash('sha256').update(key.spki).digest()).to.deep.equal(
      createHash('sha256').update(spkiOf(keys.publicKey)).digest(),
    )
  })

  it('on an elliptic curve may be compressed', () => {
    const keys = keyPairs.p256()
    const point = spkiOf(keys.publicKey).subarray(-65)
    const parity = ((point[64] as number) & 1) + 2
    const compressed = seq(
      algorithm(EC, oid(P256)),
      bits(Buffer.concat([Uint8Array.of(parity), point.subarray(1, 33)])),
    )
    const key = publicKey(compressed)
    const scheme = signatureScheme(identifier(algorithm(oids.ecdsaWithSha256)), key)
    expect(key.verify(scheme, DATA, sign('sha256', DATA, keys.privateKey))).to.equal(true)
  })

  describe('is refused', () => {
    const refuse = (title: string, reason: string, spki: () => Uint8Array) =>
      it(title, () => void expectRefusal('signatureAlgorithmNotSupported', reason, () => publicKey(spki())))
    const rsaKey = (modulus: Uint8Array, exponent: Uint8Array) =>
      seq(algorithm(oids.rsa, nul), bits(seq(modulus, exponent)))
    const modulus = () => writeElement(0x02, Uint8Array.of(0), Buffer.alloc(256, 0xff))
    const point = () => spkiOf(keyPairs.p256().publicKey).subarray(-65)

    refuse('of an unknown algorithm', 'unknownKey', () => seq(algorithm('1.2.3'), bits(Buffer.alloc(10))))
    refuse('with trailing bytes', 'badKey', () => Buffer.concat([spkiOf(keyPairs.rsa().publicKey), Uint8Array.of(0)]))
    refuse('with trailing bytes inside', 'badKey', () =>
      seq(algorithm(oids.rsa, nul), bits(Buffer.concat([seq(modulus(), integer(3)), Uint8Array.of(0)]))),
    )
    refuse('with parameters that rsaEncryption has not', 'badKey', () =>
      seq(algorithm(oids.rsa, integer(1)), bits(seq(modulus(), integer(3)))),
    )
    refuse('with exponent 1', 'badKey', () => rsaKey(modulus(), integer(1)))
    refuse('with an even exponent', 'badKey', () => rsaKey(modulus(), integer(4)))
    refuse('with an exponent made to take long', 'badKey', () => rsaKey(modulus(), modulus()))
    refuse('with an even modulus', 'badKey', () => rsaKey(writeElement(0x02, Buffer.alloc(256, 0x7e)), integer(3)))
    refuse('with a negative modulus', 'badKey', () => rsaKey(writeElement(0x02, Buffer.alloc(256, 0xff)), integer(3)))
    refuse('with a modulus made to take long', 'badKey', () =>
      rsaKey(writeElement(0x02, Uint8Array.of(0), Buffer.alloc(1025, 0xff)), integer(3)),
    )
    refuse('on a curve that is written out (CVE-2020-0601)', 'badKey', () =>
      seq(algorithm(EC, seq(integer(1))), bits(point())),
    )
    refuse('on a curve that is not ours', 'badKey', () => seq(algorithm(EC, oid('1.3.132.0.10')), bits(point())))
    refuse('beside its curve', 'badKey', () => {
      const off = Buffer.from(point())
      off.writeUInt8(off.readUInt8(64) ^ 1, 64)
      return seq(algorithm(EC, oid(P256)), bits(off))
    })
    refuse('at infinity', 'badKey', () => seq(algorithm(EC, oid(P256)), bits(Uint8Array.of(0))))
    refuse('in the hybrid form', 'badKey', () => {
      const hybrid = Buffer.from(point())
      hybrid.writeUInt8(6 + (hybrid.readUInt8(64) & 1), 0)
      return seq(algorithm(EC, oid(P256)), bits(hybrid))
    })
  })
})

describe('RSA-PSS', () => {
  const parameters = (hash: string, mgf: string, salt: number) =>
    seq(
      writeElement(0xa0, algorithm(hash)),
      writeElement(0xa1, algorithm(oids.mgf1, algorithm(mgf))),
      writeElement(0xa2, integer(salt)),
    )
  const key = () => publicKey(spkiOf(keyPairs.rsa().publicKey))
  const scheme = (der: Uint8Array) => signatureScheme(identifier(algorithm(oids.pss, der)), key())

  it('is right only with the salt length and digests that were signed with', () => {
    const value = signPss(keyPairs.rsa().privateKey, 'sha256', 32)(DATA)
    expect(key().verify(scheme(parameters(oids.sha256, oids.sha256, 32)), DATA, value)).to.equal(true)
    expect(key().verify(scheme(parameters(oids.sha256, oids.sha256, 31)), DATA, value)).to.equal(false)
    expect(key().verify(scheme(parameters(oids.sha256, oids.sha512, 32)), DATA, value)).to.equal(false)
    expect(key().verify(scheme(parameters(oids.sha512, oids.sha256, 32)), DATA, value)).to.equal(false)
  })
  it('without parameters means SHA-1 and 20 octets of salt, which the policy refuses', () => {
    const defaults = scheme(seq())
    expect(key().verify(defaults, DATA, signPss(keyPairs.rsa().privateKey, 'sha1', 20)(DATA))).to.equal(true)
    expectRefusal('algorithmNotTrusted', 'digest', () => requireTrusted(defaultAlgorithmPolicy, defaults, key(), 0))
  })
  it('with a mask of SHA-1 is refused by the policy too', () => {
    const mixed = scheme(parameters(oids.sha256, oids.sha1, 32))
    expectRefusal('algorithmNotTrusted', 'digest', () => requireTrusted(defaultAlgorithmPolicy, mixed, key(), 0))
  })
  for (const [title, der] of [
    ['absent parameters', undefined],
    ['NULL parameters', nul],
    ['a trailer field other than 1', seq(writeElement(0xa3, integer(2)))],
    ['a mask that is not MGF1', seq(writeElement(0xa1, algorithm('1.2.3', algorithm(oids.sha256))))],
    ['fields out of order', seq(writeElement(0xa2, integer(1)), writeElement(0xa0, algorithm(oids.sha256)))],
  ] as const)
    it(`refuses ${title}`, () => {
      expectRefusal('signatureAlgorithmNotSupported', 'parameters', () =>
        signatureScheme(identifier(algorithm(oids.pss, der)), key()),
      )
    })

  describe('with a key that restricts it', () => {
    const restricted = () =>
      publicKey(
        seq(
          algorithm(oids.pss, parameters(oids.sha256, oids.sha256, 32)),
          spkiOf(keyPairs.rsa().publicKey).subarray(19),
        ),
      )
    it('keeps to digest, mask and least salt length', () => {
      const fits = (der: Uint8Array) => () => signatureScheme(identifier(algorithm(oids.pss, der)), restricted())
      fits(parameters(oids.sha256, oids.sha256, 32))()
      fits(parameters(oids.sha256, oids.sha256, 40))()
      for (const der of [
        parameters(oids.sha256, oids.sha256, 31),
        parameters(oids.sha512, oids.sha256, 32),
        parameters(oids.sha256, oids.sha512, 32),
      ])
        expectRefusal('signatureAlgorithmNotSupported', 'keyRestricted', fits(der))
    })
    it('does not sign by PKCS #1 v1.5', () => {
      expectRefusal('signatureAlgorithmNotSupported', 'keyOfAnotherKind', () =>
        signatureScheme(identifier(algorithm(oids.sha256WithRsa, nul)), restricted()),
      )
    })
  })
})

describe('a signature algorithm', () => {
  const rsa = () => publicKey(spkiOf(keyPairs.rsa().publicKey))
  const ecdsa = () => publicKey(spkiOf(keyPairs.p256().publicKey))
  const scheme = (der: Uint8Array, digestOid?: string) => signatureScheme(identifier(der), rsa(), digestOid)

  it('accepts NULL and absent parameters of RSA (RFC 4055, 5)', () => {
    expect(scheme(algorithm(oids.sha256WithRsa, nul)).digest.name).to.equal('SHA-256')
    expect(scheme(algorithm(oids.sha256WithRsa)).digest.name).to.equal('SHA-256')
  })
  it('accepts only absent parameters of ECDSA (RFC 5758, 3.2)', () => {
    expectRefusal('signatureAlgorithmNotSupported', 'parameters', () =>
      signatureScheme(identifier(algorithm(oids.ecdsaWithSha256, nul)), ecdsa()),
    )
  })
  it('takes bare rsaEncryption for RSA with the digest of CMS, and for nothing elsewhere', () => {
    expect(scheme(algorithm(oids.rsa, nul), oids.sha256).oid).to.equal(oids.sha256WithRsa)
    expectRefusal('signatureAlgorithmNotSupported', 'unknown', () => scheme(algorithm(oids.rsa, nul)))
  })
  it('of XML has r and s one behind the other', () => {
    const { privateKey } = keyPairs.p256()
    const value = sign('sha256', DATA, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const method = xmlSignatureScheme(`${MORE}ecdsa-sha256`, ecdsa())
    expect(ecdsa().verify(method, DATA, value)).to.equal(true)
    expect(ecdsa().verify(method, DATA, sign('sha256', DATA, privateKey))).to.equal(false)
    expect(ecdsa().verify(method, DATA, value.subarray(1))).to.equal(false)
  })
  it('of XML that is a message authentication code is unknown', () => {
    expectRefusal('signatureAlgorithmNotSupported', 'unknown', () => xmlSignatureScheme(`${MORE}hmac-sha256`, rsa()))
  })
  it('is trusted by its digest and key size, until it falls', () => {
    const good = scheme(algorithm(oids.sha256WithRsa, nul))
    requireTrusted(defaultAlgorithmPolicy, good, rsa(), 0)
    const fallen = { ...defaultAlgorithmPolicy, digestsTrustedUntil: { [oids.sha256]: 1000 } }
    requireTrusted(fallen, good, rsa(), 999)
    expectRefusal('algorithmNotTrusted', 'digest', () => requireTrusted(fallen, good, rsa(), 1000))
    const weak = publicKey(spkiOf(keyPairs.weakRsa().publicKey))
    expectRefusal('algorithmNotTrusted', 'keySize', () => requireTrusted(defaultAlgorithmPolicy, good, weak, 0))
    const md5 = scheme(algorithm('1.2.840.113549.1.1.4', nul))
    expectRefusal('algorithmNotTrusted', 'digest', () => requireTrusted(defaultAlgorithmPolicy, md5, rsa(), 0))
  })
})
