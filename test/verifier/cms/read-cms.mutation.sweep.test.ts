import { expect } from 'chai'
import { signatureFacts } from '#core/signatures/signature-facts.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { RegistryError } from '#verifier/error.js'
import { verifySignature } from '#verifier/verify-signature.js'
import { cutOff, flippedBits, type Mutant, rebuilt } from '../../support/der-mutants.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'
import { exhaustive } from '../../support/sweep.js'

const TEXT = Buffer.from('a contract')

describe('mutants of a good CMS', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)

  /** All that a registration takes from a signature, as text. */
  function meaning(der: Uint8Array): string {
    const signature = readCms(der)
    const evidence = {
      timeStamp: signature.timeStamp?.token ?? Buffer.alloc(0),
      ocsp: signature.ocsp ?? Buffer.alloc(0),
    }
    const verdict = verifySignature(signature, evidence, { trust, now: NOW })
    const { fingerprint, digests, signer } = signature
    // Content left out makes the signature a detached one of the same data; content that is there is bound by the digest.
    const hex = [fingerprint, ...digests.map(({ value }) => value)].map((one) => Buffer.from(one).toString('hex'))
    return JSON.stringify([signatureFacts(signature, verdict), signer.fingerprint, digests.map(({ oid }) => oid), hex])
  }

  function judge(right: string, mutants: Iterable<Mutant>) {
    const counts = { refused: 0, same: 0 }
    for (const { name, der } of mutants) {
      try {
        expect(meaning(der), name).to.equal(right)
        counts.same += 1
      } catch (error) {
        if (!(error instanceof RegistryError)) throw new Error(`${name}: ${String(error)}`, { cause: error })
        counts.refused += 1
      }
    }
    return counts
  }

  for (const algorithm of exhaustive
    ? (['rsa2048', 'p256', 'ed25519', 'ed448', 'brainpool384'] as const)
    : (['p256'] as const))
    describe(`(${algorithm})`, () => {
      const signer = authorities.employee({ algorithm })
      const der = signer.signCms(TEXT, { detached: false, timeStamp: true, ocsp: true })
      const right = meaning(der)

      it('with one bit flipped are refused or mean the same', () => {
        const { refused } = judge(right, flippedBits(der))
        // What may change is the case of issuer names in references, and a CA certificate that nobody needed.
        expect(refused).to.be.greaterThan(der.length * 0.8)
      })
      it('cut off or followed by something are refused', () => {
        expect(judge(right, cutOff(der)).same).to.equal(0)
      })
      it('with an element dropped, doubled, swapped, emptied or in BER are refused or mean the same', () => {
        expect(judge(right, rebuilt(der)).refused).to.be.greaterThan(1000)
      })
    })
})
