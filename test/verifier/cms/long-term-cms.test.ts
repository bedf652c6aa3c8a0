import { expect } from 'chai'
import { revocationValues, signatureTimeStamp } from '#dev-authorities/cms/attributes.js'
import { explicit, sequence } from '#dev-authorities/der/writer.js'
import { digestAlgorithm } from '#dev-authorities/hashes.js'
import { pem, type Subject } from '#dev-authorities/index.js'
import { writeSignedData } from '#verifier/cms/content-of-cms.js'
import { cmsPem } from '#verifier/cms/export-cms.js'
import { joinCms } from '#verifier/cms/join-cms.js'
import { longTermCms } from '#verifier/cms/long-term-cms.js'
import { normalizeCms } from '#verifier/cms/normalize-cms.js'
import { cmsOids } from '#verifier/cms/oids.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readOcspInfo, writeOcspInfo } from '#verifier/cms/revocation-info.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { children, type DerElement, encoded } from '#verifier/der/reader.js'
import { writeElement, writeSetOf, writeUnsigned } from '#verifier/der/writer.js'
import { ocspResponseOf } from '#verifier/status/ocsp-response.js'
import { verify } from '#verifier/verify.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { nul } from '../../support/cms-recipe.js'
import { NOW, testAuthorities } from '../../support/pki/authorities.js'
import { openssl } from '../../support/pki/openssl.js'
import { expectRefusal } from '../../support/refusal.js'

const TEXT = Buffer.from('a contract')
const ARCHIVE_TIME_STAMP = '0.4.0.1733.2.4'

const listOf = (element: DerElement | undefined): Buffer[] =>
  element === undefined ? [] : children(element).map((one) => Buffer.from(encoded(one)))

/** What stands where in a CMS of one signer. */
function partsOf(cms: Uint8Array) {
  const { version, parts, signerInfos } = readSignedData(cms)
  const infos = parts.crls === undefined ? [] : children(parts.crls)
  return {
    version,
    certificates: listOf(parts.certificates),
    answers: infos.filter(({ tag }) => tag === 0xa1).map((info) => encodedOf(readOcspInfo(info))),
    crls: infos.filter(({ tag }) => tag === 0x30).map(encodedOf),
    attributes: signerInfos[0]?.unsignedAttributes?.all.map(({ oid }) => oid) ?? [],
  }
}

const encodedOf = (element: DerElement | undefined): Buffer =>
  element === undefined ? Buffer.alloc(0) : Buffer.from(encoded(element))

describe('a CMS for the long term', () => {
  const authorities = testAuthorities()
  const { hierarchy } = authorities
  const person = authorities.person()
  const without = (signer = person) => readCms(signer.signCms(TEXT)).kept
  const stampOf = (kept: Uint8Array) => authorities.tsa.stamp(readCms(kept, { evidence: 'all' }).signatureValue)
  const statusOf = (signer: Subject) => authorities.ocsp.status(signer.certificate, signer.issuer)
  const evidence = (kept: Uint8Array, signer = person) => ({
    timeStamp: stampOf(kept),
    ocsp: statusOf(signer),
    certificates: [signer.issuer, hierarchy.issuing('rsa').certificate],
  })
  const byCrls = (kept: Uint8Array, crls = [authorities.crl('ecdsa'), hierarchy.root.crl(NOW)]) => ({
    ...evidence(kept),
    ocsp: undefined,
    crls,
  })
  const valid = (cms: Uint8Array) => {
    // No intermediates: the path has to be in the signature.
    const anchors = authorities.anchors.map((der) => Certificate.parse(der))
    const { indication, signatures } = verify(cms, { trust: { anchors, intermediates: [] }, at: NOW, document: TEXT })
    return [indication, signatures.map(({ conclusion, unused }) => [conclusion, unused])]
  }
  const PASSED = ['TOTAL-PASSED', [['validAt', []]]]

  for (const algorithm of ['rsa2048', 'p256', 'gost512'] as const)
    it(`has its evidence where EN 319 122-1 wants it, and proves itself by it, ${algorithm}`, () => {
      const signer = authorities.person({ algorithm })
      const kept = without(signer)
      const given = evidence(kept, signer)
      const written = longTermCms(kept, given)
      const { version, certificates, answers, crls, attributes } = partsOf(written)
      expect([version, crls, attributes]).to.deep.equal([5, [], [cmsOids.signatureTimeStamp]])
      expect(answers).to.deep.equal([Buffer.from(ocspResponseOf(given.ocsp))])
      expect(certificates).to.have.deep.members([
        ...new Map([signer.certificate, ...given.certificates].map((der) => [der.toString('hex'), der])).values(),
      ])
      expect(valid(written)).to.deep.equal(PASSED)
    })

  it('has CRLs in place of an answer, and then no version of its own', () => {
    const kept = without()
    const given = byCrls(kept)
    const written = longTermCms(kept, given)
    const { version, answers, crls, attributes } = partsOf(written)
    expect([version, answers, attributes]).to.deep.equal([1, [], [cmsOids.signatureTimeStamp]])
    expect(crls).to.have.deep.members(given.crls)
    expect(valid(written)).to.deep.equal(PASSED)
  })

  it('leaves what is signed, its value and the time stamp as they were', () => {
    const kept = readCms(person.signCms(TEXT, { timeStamp: true, ocsp: true })).kept
    const [before, after] = [readCms(kept), readCms(longTermCms(kept, evidence(kept)))]
    expect(after.fingerprint).to.deep.equal(before.fingerprint)
    expect(Buffer.from(after.signatureValue)).to.deep.equal(Buffer.from(before.signatureValue))
    expect(Buffer.from(after.timeStamp?.token ?? [])).to.deep.equal(Buffer.from(before.timeStamp?.token ?? [1]))
  })

  it('is DER, the same each time, and the same when it is written again', () => {
    const received = readCms(
      person.signCms(TEXT, {
        unsorted: 'signedInDer',
        certificates: [person.issuer, person.certificate, ...authorities.anchors],
        signedAttributes: (honest) => honest.toReversed(),
        unsignedAttributes: (_, value) => [
          revocationValues(statusOf(person)),
          { oid: '1.2.3.4', values: [Buffer.from(nul), Buffer.of(1, 1, 0)] },
          signatureTimeStamp(authorities.tsa.stamp(value)),
        ],
      }),
    ).kept
    // What is sorted anyway is brought out of order: two values of an attribute, and two digest algorithms.
    const unsorted = Buffer.from(Buffer.from(received).toString('hex').replace('0101000500', '0500010100'), 'hex')
    const algorithms = ['sha512', 'sha256'] as const
    const kept = writeSignedData(readSignedData(unsorted).parts, {
      digestAlgorithms: writeElement(0x31, ...algorithms.map((hash) => digestAlgorithm(hash))),
    })
    for (const given of [evidence(kept), byCrls(kept)]) {
      const written = longTermCms(kept, given)
      expect(Buffer.from(normalizeCms(written)).equals(written)).to.equal(true)
      const { parts, signerInfos } = readSignedData(written)
      const sets = [parts.digestAlgorithms, parts.certificates, parts.crls, signerInfos[0]?.unsignedAttributes?.element]
      for (const set of [...sets, ...(signerInfos[0]?.unsignedAttributes?.all ?? []).map(({ set }) => set)])
        expect(listOf(set)).to.deep.equal(listOf(set).sort(Buffer.compare))
      expect(Buffer.from(longTermCms(kept, given)).equals(written)).to.equal(true)
      expect(Buffer.from(longTermCms(written, given)).equals(written)).to.equal(true)
    }
  })

  it('has in SignedData what came in certificate-values and revocation-values, each once', () => {
    const own = statusOf(person)
    const crl = authorities.crl('ecdsa')
    const values = sequence(explicit(0, sequence(crl)), explicit(1, sequence(own, statusOf(authorities.person()))))
    const kept = person.signCms(TEXT, {
      unsignedAttributes: () => [
        { oid: cmsOids.revocationValues, values: [values] },
        {
          oid: cmsOids.certificateValues,
          values: [sequence(person.issuer, person.certificate, ...authorities.anchors)],
        },
      ],
    })
    const { certificates, answers, crls, attributes } = partsOf(longTermCms(kept, { ...evidence(kept), ocsp: own }))
    expect(attributes).to.deep.equal([cmsOids.signatureTimeStamp])
    expect(certificates).to.have.deep.members([
      person.certificate,
      person.issuer,
      hierarchy.issuing('rsa').certificate,
      ...authorities.anchors,
    ])
    expect([answers.length, crls]).to.deep.equal([2, [crl]])
  })

  it('leaves out of those attributes what cannot be read', () => {
    const junk = Buffer.from(nul)
    const lists = sequence(explicit(0, sequence(junk, sequence(junk))), explicit(1, sequence(junk, sequence())))
    const kept = person.signCms(TEXT, {
      unsignedAttributes: () => [
        { oid: cmsOids.revocationValues, values: [junk, lists] },
        { oid: cmsOids.certificateValues, values: [junk, sequence(junk, sequence())] },
      ],
    })
    expect(valid(longTermCms(kept, evidence(kept)))).to.deep.equal(PASSED)
  })

  describe('beside an archive time stamp', () => {
    const archive = (token: Buffer) => ({ oid: ARCHIVE_TIME_STAMP, values: [token] })
    const archived = person.signCms(TEXT, {
      certificates: [...authorities.anchors, person.certificate],
      unsignedAttributes: (_, value) => [
        signatureTimeStamp(authorities.tsa.stamp(value)),
        revocationValues(statusOf(person)),
        { oid: cmsOids.certificateValues, values: [sequence(person.issuer, hierarchy.issuing('rsa').certificate)] },
        archive(authorities.tsa.stamp(TEXT)),
      ],
    })

    it('is as it came where nothing is missing', () => {
      const { ocsp = Buffer.alloc(0), timeStamp } = readCms(archived)
      const given = { ...evidence(archived), ocsp, timeStamp: timeStamp?.token ?? Buffer.alloc(0) }
      expect(Buffer.from(longTermCms(archived, given)).equals(archived)).to.equal(true)
    })

    it('has only what is missing, beside attributes as they came', () => {
      const kept = person.signCms(TEXT, {
        unsignedAttributes: () => [archive(authorities.tsa.stamp(TEXT)), revocationValues(statusOf(person))],
      })
      const given = byCrls(kept)
      const written = longTermCms(kept, given)
      const { version, certificates, answers, crls, attributes } = partsOf(written)
      expect([version, certificates.length, answers.length, crls.length]).to.deep.equal([1, 3, 0, 2])
      expect(attributes).to.have.members([ARCHIVE_TIME_STAMP, cmsOids.revocationValues, cmsOids.signatureTimeStamp])
      for (const { element } of readSignedData(kept).signerInfos[0]?.unsignedAttributes?.all ?? [])
        expect(Buffer.from(written).includes(Buffer.from(encoded(element)))).to.equal(true)
      expect(Buffer.from(longTermCms(written, given)).equals(written)).to.equal(true)
    })
  })

  describe('among as many pieces as are read', () => {
    // In DER order the signer's certificate is the last one.
    const [signer = expect.fail(), ...others] = Array.from({ length: 32 }, () => authorities.person()).sort((a, b) =>
      Buffer.compare(b.certificate, a.certificate),
    )
    const stuffed = (cms: Uint8Array) =>
      writeSignedData(readSignedData(cms).parts, {
        version: writeUnsigned(Uint8Array.of(5)),
        certificates: writeSetOf(
          0xa0,
          [signer, ...others].map(({ certificate }) => certificate),
        ),
        crls: writeSetOf(
          0xa1,
          [person, ...others].map((other) => writeOcspInfo(statusOf(other))),
        ),
      })

    it('has the registered evidence and the signer', () => {
      const full = stuffed(without(signer))
      const written = longTermCms(full, evidence(full, signer))
      const { certificates, answers } = partsOf(written)
      expect([certificates.length, answers.length]).to.deep.equal([32, 32])
      expect(valid(written)[0]).to.equal('TOTAL-PASSED')
    })

    it('has no more of them beside an archive time stamp', () => {
      const archive = { oid: ARCHIVE_TIME_STAMP, values: [authorities.tsa.stamp(TEXT)] }
      const full = stuffed(signer.signCms(TEXT, { timeStamp: true, unsignedAttributes: (all) => [...all, archive] }))
      expect(Buffer.from(longTermCms(full, evidence(full, signer))).equals(full)).to.equal(true)
    })
  })

  it('refuses bytes that are not a CMS of one signer', () => {
    const given = evidence(without())
    expectRefusal('signatureNotParsed', 'notDer', () => longTermCms(Buffer.from('x'), given))
    const two = joinCms(undefined, [without(), without(authorities.person())])
    expectRefusal('signatureNotParsed', 'notExactlyOneSigner', () => longTermCms(two, given))
    const none = writeSignedData(readSignedData(without()).parts, { signerInfos: writeSetOf(0x31, []) })
    expectRefusal('signatureNotParsed', 'notExactlyOneSigner', () => longTermCms(none, given))
  })

  for (const algorithm of ['rsa2048', 'p256'] as const)
    it(`is accepted by openssl cms -verify, ${algorithm}`, () => {
      const signer = authorities.person({ algorithm })
      const kept = without(signer)
      const anchors = authorities.anchors.map((der) => pem('CERTIFICATE', der)).join('')
      for (const written of [longTermCms(kept, evidence(kept, signer)), longTermCms(kept, byCrls(kept))]) {
        const accepted = (content: Uint8Array) =>
          openssl(
            `cms -verify -cades -binary -inform PEM -in cms.pem -content content -CAfile trust.pem -purpose any -attime ${NOW / 1000}`,
            { 'cms.pem': cmsPem(written), content, 'trust.pem': anchors },
            ({ ok, output }) => `${ok} ${output}`,
          )
        expect(accepted(TEXT)).to.match(/^true .*successful/s)
        expect(accepted(Buffer.from('another contract'))).to.match(/^false .*failure/s)
      }
    })
})
