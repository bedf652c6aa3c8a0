import { expect } from 'chai'
import { RegistryError } from '#verifier/error.js'
import { verifyOcsp } from '#verifier/status/verify-ocsp.js'
import { verifyTimeStamp } from '#verifier/timestamp/verify-time-stamp.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { cutOff, flippedBits, type Mutant, rebuilt } from '../../support/der-mutants.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { trustOf } from '../../support/pki/trust.js'

const DATA = Buffer.from('a signature value')

describe('mutants of evidence', () => {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)

  /** Every mutant is refused with one of the codes, or means the same; gives how many there were, and how many were accepted. */
  function judge(
    der: Uint8Array,
    meaning: (mutant: Uint8Array) => unknown,
    codes: readonly string[],
  ): [number, number] {
    const original = meaning(der)
    let count = 0
    let accepted = 0
    const mutants: Iterable<Mutant>[] = [flippedBits(der), cutOff(der), rebuilt(der)]
    for (const mutant of mutants.flatMap((some) => [...some])) {
      count += 1
      try {
        const found = meaning(mutant.der)
        accepted += 1
        expect(found, mutant.name).to.deep.equal(original)
      } catch (error) {
        if (!(error instanceof RegistryError)) throw error
        expect(error.code, mutant.name).to.be.oneOf(codes)
      }
    }
    return [count, accepted]
  }

  it('are refused or mean the same: time stamps', () => {
    const meaning = (token: Uint8Array) => {
      const { info, signer, path } = verifyTimeStamp(token, DATA, { trust, now: NOW })
      const { tsa: _, ...said } = info
      return { ...said, signer: signer.fingerprint, path: path.certificates.map(({ fingerprint }) => fingerprint) }
    }
    const [count, accepted] = judge(authorities.tsa.stamp(DATA), meaning, [
      'invalidTspTimeStamp',
      'algorithmNotTrusted',
    ])
    expect(count).to.be.greaterThan(3_000)
    // What no signature covers: certificates beside the signer's, the order of sets, absent or NULL parameters.
    expect(accepted / count).to.be.lessThan(0.4)
  })

  it('are refused or mean the same: OCSP answers', () => {
    const person = authorities.person({ issuer: 'rsa' })
    const certificate = Certificate.parse(person.certificate)
    const issuer = Certificate.parse(person.issuer)
    const meaning = (answer: Uint8Array) => {
      const {
        response: _,
        responder,
        ...said
      } = verifyOcsp(answer, { certificate, issuer, trust, time: NOW, now: NOW })
      // What the responder's certificate says; its outer algorithm may lack a NULL.
      return { ...said, responder: Buffer.from(responder.tbs).toString('hex') }
    }
    const response = authorities.ocsp.status(person.certificate, person.issuer)
    const [count, accepted] = judge(response, meaning, ['invalidOcspData', 'algorithmNotTrusted'])
    expect(count).to.be.greaterThan(1_500)
    expect(accepted).to.be.lessThan(12)
  })
})
