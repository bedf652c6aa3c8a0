import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { expect } from 'chai'
import { readAlgorithmIdentifier, sameAlgorithm } from '#verifier/algorithms/algorithm-identifier.js'
import { publicKey } from '#verifier/algorithms/public-key.js'
import { signatureScheme } from '#verifier/algorithms/signature-scheme.js'
import { xmlSignatureScheme } from '#verifier/algorithms/xml-signature-scheme.js'
import { readDer } from '#verifier/der/reader.js'
import { writeElement } from '#verifier/der/writer.js'
import { algorithm, keyPairs, nul, oids, seq } from '../../support/cms-recipe.js'
import { expectRefusal } from '../../support/refusal.js'

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')
const identifier = (der: Uint8Array) => readAlgorithmIdentifier(readDer(der))
const littleEndian = (number: bigint, octets: number) =>
  hex(number.toString(16).padStart(2 * octets, '0')).reverse() as Buffer
const toNumber = (octets: Uint8Array) => BigInt(`0x${Buffer.from(octets).reverse().toString('hex')}`)

/** Both curves, with a vector of RFC 8032 (7.1 TEST 1, 7.4 Blank), both over nothing. */
const CURVES = [
  {
    name: 'Ed25519',
    oid: '1.3.101.112',
    octets: 32,
    p: 2n ** 255n - 19n,
    order: 2n ** 252n + 27742317777372353535851937790883648493n,
    seed: hex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'),
    key: hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
    value: hex(`e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b
      d25bf5f0595bbe24655141438e7a100b`),
    /** y of points of small order. */
    small: [0n, 1n, -1n, 0x5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n],
    hash: (...parts: Uint8Array[]) => createHash('sha512').update(Buffer.concat(parts)).digest(),
    scalar(octets: Buffer) {
      octets[0] = octets.readUInt8(0) & 0xf8
      octets[31] = (octets.readUInt8(31) & 0x7f) | 0x40
      return toNumber(octets.subarray(0, 32))
    },
  },
  {
    name: 'Ed448',
    oid: '1.3.101.113',
    octets: 57,
    p: 2n ** 448n - 2n ** 224n - 1n,
    order: 2n ** 446n - 13818066809895115352007386748515426880336692474882178609894547503885n,
    seed: hex(`6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3528c8a3fcc2f044e39a3fc5b94492f8f
      032e7549a20098f95b`),
    key: hex(`5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6c
      d1fa1abeafe8256180`),
    value: hex(`533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f2b233f034f628281f2fd7a22ddd47d78
      28c59bd0a21bfd3980ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4db
      b61149f05a7363268c71d95808ff2e652600`),
    small: [0n, 1n, -1n],
    hash: (...parts: Uint8Array[]) =>
      createHash('shake256', { outputLength: 114 })
        .update(Buffer.concat([Buffer.from('SigEd448\0\0'), ...parts]))
        .digest(),
    scalar(octets: Buffer) {
      octets[0] = octets.readUInt8(0) & 0xfc
      octets[55] = octets.readUInt8(55) | 0x80
      octets[56] = 0
      return toNumber(octets.subarray(0, 57))
    },
  },
] as const

for (const { name, oid, octets, p, order, seed, key: point, value, small, hash, scalar } of CURVES)
  describe(name, () => {
    const spki = (key: Uint8Array, parameters?: Uint8Array) =>
      seq(algorithm(oid, parameters), writeElement(0x03, Uint8Array.of(0), key))
    const key = publicKey(spki(point))
    const scheme = signatureScheme(identifier(algorithm(oid)), key)
    const privateKey: KeyObject = createPrivateKey({
      key: Buffer.from(seq(Uint8Array.of(2, 1, 0), algorithm(oid), writeElement(0x04, writeElement(0x04, seed)))),
      format: 'der',
      type: 'pkcs8',
    })
    const [r, s] = [value.subarray(0, octets), value.subarray(octets)]
    const NOTHING = Buffer.alloc(0)

    it('verifies what RFC 8032 signs, and OpenSSL', () => {
      expect(key.verify(scheme, NOTHING, value)).to.equal(true)
      expect(key.curve).to.deep.equal({ oid, name })
      const data = Buffer.from('data')
      expect(key.verify(scheme, data, sign(null, data, privateKey))).to.equal(true)
      expect(key.verify(scheme, Buffer.from('date'), sign(null, data, privateKey))).to.equal(false)
      expect(Buffer.from(key.spki)).to.deep.equal(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }))
    })

    it('refuses S that is not below the order, and values that are too long or too short', () => {
      const more = Buffer.concat([r, littleEndian(toNumber(s) + order, octets)])
      for (const wrong of [
        more,
        Buffer.concat([value, Buffer.of(0)]),
        value.subarray(1),
        value.subarray(0, -1),
        NOTHING,
      ])
        expect(key.verify(scheme, NOTHING, wrong), Buffer.from(wrong).toString('hex')).to.equal(false)
    })

    /** A signature whose R is the neutral point, written like this: S is then the secret times the hash. */
    const withNeutral = (written: Buffer) => {
      const secret = scalar(oid === '1.3.101.112' ? hash(seed) : shake(seed))
      const challenge = toNumber(hash(written, point, NOTHING)) % order
      return Buffer.concat([written, littleEndian((challenge * secret) % order, octets)])
    }
    it('refuses R that is not written as RFC 8032 has it', () => {
      // OpenSSL has no neutral point on Ed448.
      expect(key.verify(scheme, NOTHING, withNeutral(littleEndian(1n, octets)))).to.equal(name === 'Ed25519')
      const signed = littleEndian(1n, octets)
      signed[octets - 1] = 0x80
      for (const wrong of [signed, littleEndian(1n + p, octets)])
        expect(key.verify(scheme, NOTHING, withNeutral(wrong)), wrong.toString('hex')).to.equal(false)
    })

    const refuse = (title: string, make: () => Uint8Array) =>
      it(`has no key ${title}`, () =>
        void expectRefusal('signatureAlgorithmNotSupported', 'badKey', () => publicKey(make())))
    refuse('with parameters', () => spki(point, nul))
    refuse('that is too short', () => spki(point.subarray(1)))
    refuse('that is too long', () => spki(Buffer.concat([point, Buffer.of(0)])))
    refuse('with a coordinate that is not below the prime', () => spki(littleEndian(3n + p, octets)))
    refuse('with an unused bit in its BIT STRING', () =>
      seq(algorithm(oid), writeElement(0x03, Uint8Array.of(1), point)),
    )
    for (const y of small)
      for (const sign of [0, 0x80])
        refuse(`of small order, y ${y}${sign ? ', signed' : ''}`, () => {
          const octetsOfY = littleEndian((y + p) % p, octets)
          octetsOfY[octets - 1] = octetsOfY.readUInt8(octets - 1) | sign
          return spki(octetsOfY)
        })

    it('rejects every signature under a key that is not on the curve', () => {
      const beside = [2n, 3n, 4n, 5n, 6n, 7n].map((y) => publicKey(spki(littleEndian(y, octets))))
      for (const other of beside) expect(other.verify(scheme, NOTHING, value)).to.equal(false)
    })

    it('has no parameters in its AlgorithmIdentifier (RFC 8410, 3)', () => {
      expectRefusal('signatureAlgorithmNotSupported', 'parameters', () =>
        signatureScheme(identifier(algorithm(oid, nul)), key),
      )
    })

    it('has none inside of a certificate or CRL either', () => {
      const [absent, present] = [identifier(algorithm(oid)), identifier(algorithm(oid, nul))]
      expect(sameAlgorithm(absent, identifier(algorithm(oid)))).to.equal(true)
      expect(sameAlgorithm(absent, present) || sameAlgorithm(present, absent)).to.equal(false)
      const rsa = [identifier(algorithm(oids.sha256WithRsa)), identifier(algorithm(oids.sha256WithRsa, nul))] as const
      expect(sameAlgorithm(...rsa)).to.equal(true)
    })

    it('is accepted only with keys of its own kind', () => {
      const others = CURVES.filter((curve) => curve.oid !== oid).map((curve) => algorithm(curve.oid))
      for (const other of [...others, algorithm(oids.ecdsaWithSha256), algorithm(oids.sha256WithRsa, nul)])
        expectRefusal('signatureAlgorithmNotSupported', 'keyOfAnotherKind', () =>
          signatureScheme(identifier(other), key),
        )
      const p256 = publicKey(keyPairs.p256().publicKey.export({ type: 'spki', format: 'der' }))
      expectRefusal('signatureAlgorithmNotSupported', 'keyOfAnotherKind', () =>
        signatureScheme(identifier(algorithm(oid)), p256),
      )
    })

    it('is known to XML as such, not prehashed', () => {
      const method = `http://www.w3.org/2021/04/xmldsig-more#eddsa-${name.toLowerCase()}`
      expect(key.verify(xmlSignatureScheme(method, key), NOTHING, value)).to.equal(true)
      expectRefusal('signatureAlgorithmNotSupported', 'unknown', () => xmlSignatureScheme(`${method}ph`, key))
    })
  })

const shake = (seed: Uint8Array) => createHash('shake256', { outputLength: 114 }).update(seed).digest()
