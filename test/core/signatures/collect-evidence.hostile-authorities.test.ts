import { RegistryError } from '@signed-registry/core'

import { expect } from 'chai'
import { CollectEvidence } from '#core/signatures/collect-evidence.js'
import { defaultSignaturePolicy } from '#core/signatures/signature-policy.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { testAuthorities, testClock } from '../../support/pki/authorities.js'
import { signWithEvidence } from '../../support/pki/build-cms.js'
import {
  type Answer,
  hostileOcsp,
  hostileTimeStamping,
  ocspLies,
  timeStampLies,
} from '../../support/pki/hostile-authorities.js'
import { impostorAuthorities, issuedByLeaf, unknownCa } from '../../support/pki/strangers.js'

const DATA = Buffer.from('document')

describe('forged evidence of authorities', () => {
  const authorities = testAuthorities()
  const trust = {
    anchors: authorities.anchors.map((der) => Certificate.parse(der)),
    intermediates: authorities.intermediates.map((der) => Certificate.parse(der)),
  }
  const person = authorities.person()

  const collect = (cms: Buffer, lies: { tsp?: Answer; ocsp?: Answer } = {}) =>
    new CollectEvidence({
      trustStore: { trust: () => trust, state: () => ({ loadedAt: 0, anchors: 1 }) },
      timestamps: {
        url: 'http://tsp.example/',
        timestamp: async (request) => (lies.tsp ?? ((r) => authorities.tsa.respond(r)))(request),
      },
      statuses: {
        urlFor: () => authorities.ocspUrl,
        status: async (_, request) => (lies.ocsp ?? ((r) => authorities.ocsp.respond(r)))(request),
      },
      statistics: { record: () => {} },
      clock: testClock(),
      policy: defaultSignaturePolicy,
      keys: [],
    }).collect(readCms(cms))

  const refusal = async (work: Promise<unknown>): Promise<RegistryError> => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).instanceOf(RegistryError)
    return error as RegistryError
  }

  it('is distinguished from genuine evidence, collected or carried', async () => {
    await collect(person.signCms(DATA))
    await collect(signWithEvidence(authorities, person, DATA))
  })

  for (const [title, tsp] of hostileTimeStamping(authorities)) {
    it(`is refused from a TSA: ${title}`, async () => {
      if (title === 'replayed') await collect(person.signCms(DATA), { tsp })
      const error = await refusal(collect(person.signCms(DATA), { tsp }))
      expect(error.code).equal('tspServerProblem')
    })
  }

  for (const [title, ocsp] of hostileOcsp(authorities, person)) {
    it(`is refused from a responder: ${title}`, async () => {
      if (title === 'replayed') await collect(person.signCms(DATA), { ocsp })
      const error = await refusal(collect(person.signCms(DATA), { ocsp }))
      expect(error.code).oneOf(['ocspServerProblem', 'invalidCertificateStatus'])
    })
  }

  for (const [title, timeStamp] of timeStampLies(authorities)) {
    it(`is refused in a signature: a time stamp ${title}`, async () => {
      const error = await refusal(collect(signWithEvidence(authorities, person, DATA, { timeStamp })))
      expect(error.code).oneOf(['invalidTspTimeStamp', 'algorithmNotTrusted'])
    })
  }

  for (const [title, ocsp] of ocspLies(authorities, person)) {
    it(`is refused in a signature: an OCSP answer ${title}`, async () => {
      const error = await refusal(collect(signWithEvidence(authorities, person, DATA, { ocsp })))
      expect(error.code).oneOf([
        'invalidOcspData',
        'invalidCertificateStatus',
        'evidenceTimesDiffer',
        'algorithmNotTrusted',
      ])
    })
  }

  const signers = {
    'an impostor CA with the same name': impostorAuthorities().person(),
    'an unknown CA': authorities.person({ issuer: unknownCa() }),
    'a person who is no CA': issuedByLeaf(authorities).person,
  }
  for (const [title, signer] of Object.entries(signers)) {
    it(`is not even asked for when the signer is certified by ${title}`, async () => {
      const error = await refusal(collect(signer.signCms(DATA)))
      expect(error.code).oneOf(['certificateIssuerUnknown', 'certificatePathNotBuilt'])
    })
  }
})
