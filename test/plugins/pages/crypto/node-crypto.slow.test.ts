import * as node from 'node:crypto'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect } from 'chai'
import { assert, integer, property, uint8Array } from 'fast-check'
import { cryptoInBrowsers, verifierInBrowsers } from '../../../support/as-in-browsers.js'

const HASHES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3-224', 'sha3-256', 'sha3-384', 'sha3-512']
const MESSAGE = Buffer.from('A contract')

describe('node:crypto of the verifier in browsers', () => {
  let browsers: typeof node
  let verifier: Awaited<ReturnType<typeof verifierInBrowsers>>
  before(async () => {
    browsers = await cryptoInBrowsers()
    verifier = await verifierInBrowsers()
  })

  it('hashes as Node does, at once and in parts', () => {
    assert(
      property(uint8Array({ maxLength: 300 }), integer({ min: 0, max: 300 }), (bytes, at) => {
        for (const name of HASHES) {
          const due = createHash(name).update(bytes).digest()
          const parts = browsers.createHash(name).update(bytes.subarray(0, at)).update(bytes.subarray(at))
          expect(parts.digest('hex'), name).to.equal(due.toString('hex'))
          expect(browsers.hash(name, bytes), name).to.equal(due.toString('hex'))
          expect(browsers.hash(name, bytes, 'binary'), name).to.equal(due.toString('binary'))
          expect([...browsers.hash(name, bytes, 'buffer')], name).to.deep.equal([...due])
        }
        const long = { outputLength: 64 }
        const due = createHash('shake256', long).update(bytes).digest('hex')
        expect(browsers.createHash('shake256', long).update(bytes).digest('hex')).to.equal(due)
      }),
      { numRuns: 50 },
    )
    expect(browsers.createHash('sha256').update('Ж').digest('hex')).to.equal(
      createHash('sha256').update('Ж').digest('hex'),
    )
    expect(() => browsers.createHash('rot13')).to.throw('rot13')
  })

  describe('verifies what Node and OpenSSL sign, and nothing that is changed:', () => {
    const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' })
    const scheme = (family: 'pkcs1' | 'ecdsa' | 'dsa', name: string) => {
      const digest = verifier.digestAlgorithms.find(({ nodeName }) => nodeName === name)
      if (digest === undefined) throw new TypeError(name)
      return { oid: '', family, digest, raw: true }
    }

    it('RSA with every digest, where the modulus has room for it', () => {
      for (const modulusLength of [512, 1024, 2050]) {
        const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength })
        const jwk = { key: publicKey.export({ format: 'jwk' }), format: 'jwk' } as const
        const [own, due] = [browsers.createPublicKey(jwk), node.createPublicKey(jwk)]
        for (const name of HASHES) {
          const signature = signedBy(name, privateKey)
          for (const given of [...mutants(signature ?? Buffer.alloc(modulusLength / 8, 1)), Buffer.alloc(0)]) {
            expect(browsers.verify(name, MESSAGE, own, given), `${modulusLength} ${name}`).to.equal(
              node.verify(name, MESSAGE, due, given),
            )
          }
        }
      }
    })

    it('ECDSA on every curve, also under a compressed key', () => {
      const curves = ['prime256v1', 'secp384r1', 'secp521r1']
      for (const size of [256, 384, 512]) curves.push(`brainpoolP${size}r1`, `brainpoolP${size}t1`)
      for (const namedCurve of curves) {
        const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve })
        const key = verifier.publicKey(spki(publicKey))
        for (const name of ['sha1', 'sha256', 'sha512', 'sha3-384']) {
          const signature = sign(name, MESSAGE, { key: privateKey, dsaEncoding: 'ieee-p1363' })
          expect(key.verify(scheme('ecdsa', name), MESSAGE, signature), `${namedCurve} ${name}`).to.equal(true)
          for (const changed of mutants(signature).slice(1))
            expect(key.verify(scheme('ecdsa', name), MESSAGE, changed), `${namedCurve} ${name}`).to.equal(false)
        }
        const point = Buffer.from(spki(publicKey)).subarray(-2 * Math.ceil(key.bits / 8))
        const compressed = node.ECDH.convertKey(
          Buffer.concat([Buffer.of(4), point]),
          namedCurve,
          undefined,
          undefined,
          'compressed',
        )
        expect(
          Buffer.from(browsers.ECDH.convertKey(compressed as Buffer, namedCurve) as Buffer).subarray(1),
        ).to.deep.equal(point)
      }
    })

    it('DSA', () => {
      for (const [modulusLength, divisorLength] of [
        [1024, 160],
        [2048, 256],
      ] as const) {
        const { privateKey, publicKey } = generateKeyPairSync('dsa', { modulusLength, divisorLength })
        const key = verifier.publicKey(spki(publicKey))
        for (const name of ['sha1', 'sha256', 'sha512']) {
          const signature = sign(name, MESSAGE, { key: privateKey, dsaEncoding: 'ieee-p1363' })
          expect(key.verify(scheme('dsa', name), MESSAGE, signature), name).to.equal(true)
          for (const changed of mutants(signature).slice(1))
            expect(key.verify(scheme('dsa', name), MESSAGE, changed), name).to.equal(false)
        }
      }
    })

    it('Ed25519 and Ed448', () => {
      for (const type of ['ed25519', 'ed448'] as const) {
        const { privateKey, publicKey } =
          type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448')
        const jwk = { key: publicKey.export({ format: 'jwk' }), format: 'jwk' } as const
        const own = browsers.createPublicKey(jwk)
        const [good, ...changed] = mutants(sign(null, MESSAGE, privateKey))
        expect(browsers.verify(null, MESSAGE, own, good ?? Buffer.alloc(0)), type).to.equal(true)
        for (const one of changed) expect(browsers.verify(null, MESSAGE, own, one), type).to.equal(false)
      }
    })

    const signedBy = (name: string, key: KeyObject): Buffer | undefined => {
      try {
        return sign(name, MESSAGE, key)
      } catch {
        return undefined // the modulus is too short for the digest
      }
    }
  })

  it('takes r and s of ECDSA and DSA in no other length', () => {
    const pairs = [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }),
    ]
    for (const { privateKey, publicKey } of pairs) {
      const jwk = publicKey.asymmetricKeyType === 'ec'
      const own = browsers.createPublicKey(
        jwk
          ? { key: publicKey.export({ format: 'jwk' }), format: 'jwk' }
          : { key: publicKey.export({ format: 'der', type: 'spki' }), format: 'der', type: 'spki' },
      )
      const signature = sign('sha256', MESSAGE, { key: privateKey, dsaEncoding: 'ieee-p1363' })
      for (const given of mutants(signature))
        for (const [by, key] of [
          [browsers, own],
          [node, publicKey],
        ] as const)
          expect(by.verify('sha256', MESSAGE, { key, dsaEncoding: 'ieee-p1363' }, given)).to.equal(given === signature)
    }
  })

  it('refuses points that are not of the curve', () => {
    const coordinate = Buffer.alloc(32, 1).toString('base64url')
    const wrong = { kty: 'EC', crv: 'P-256', x: coordinate, y: coordinate }
    const short = { kty: 'OKP', crv: 'Ed25519', x: coordinate.slice(0, 20) }
    for (const one of [browsers, node])
      for (const key of [wrong, short]) expect(() => one.createPublicKey({ key, format: 'jwk' })).to.throw()
    const throws = (act: () => unknown): boolean => {
      try {
        act()
        return false
      } catch {
        return true
      }
    }
    const found = Array.from({ length: 20 }, (_, x) => {
      const compressed = Buffer.concat([Buffer.of(2), Buffer.alloc(31), Buffer.of(x)])
      const [own, due] = [browsers, node].map(({ ECDH }) => throws(() => ECDH.convertKey(compressed, 'prime256v1')))
      expect(own, `${x}`).to.equal(due)
      return own
    })
    expect(found).to.include(true).and.include(false)
    const tooLarge = Buffer.concat([Buffer.of(2), Buffer.alloc(32, 0xff)])
    expect(throws(() => browsers.ECDH.convertKey(tooLarge, 'prime256v1'))).to.equal(true)
  })

  it('exports keys of notes, and signs nothing', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const der = publicKey.export({ format: 'der', type: 'spki' })
    const own = browsers.createPublicKey({ key: der, format: 'der', type: 'spki' })
    expect([...own.export({ format: 'der', type: 'spki' })]).to.deep.equal([...der])
    expect(() => browsers.sign(null, MESSAGE, privateKey)).to.throw('nothing is signed')
    expect(browsers.randomBytes(7)).to.have.length(7)
    expect(browsers.timingSafeEqual(MESSAGE, Buffer.from(MESSAGE))).to.equal(true)
    expect(() => browsers.timingSafeEqual(MESSAGE, der)).to.throw('length')
  })
})

/** A signature, and with a bit changed at its beginning, in its middle and at its end, shortened and lengthened. */
function mutants(signature: Buffer): Buffer[] {
  const flipped = [0, signature.length >> 1, signature.length - 1].map((at) => {
    const copy = Buffer.from(signature)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  })
  return [
    signature,
    ...flipped,
    signature.subarray(1),
    Buffer.concat([signature, Buffer.of(0)]),
    Buffer.alloc(signature.length),
  ]
}
