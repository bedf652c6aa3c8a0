import { sign } from 'node:crypto'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { signerFacts } from '#core/signatures/signature-facts.js'
import { contentType, messageDigest, signingCertificateV2 } from '#dev-authorities/cms/attributes.js'
import { signedData, signerInfo } from '#dev-authorities/cms/signed-data.js'
import { type BerForm, isSignedPlace, toBer } from '#dev-authorities/der/ber.js'
import { digestAlgorithm } from '#dev-authorities/hashes.js'
import { CMS } from '#dev-authorities/oids.js'
import { decodeSignature } from '#verifier/cms/decode-signature.js'
import { exportCms } from '#verifier/cms/export-cms.js'
import { longTermCms } from '#verifier/cms/long-term-cms.js'
import { normalizeCms } from '#verifier/cms/normalize-cms.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { buildPath } from '#verifier/path/build-path.js'
import { readOcspResponse } from '#verifier/status/ocsp-response.js'
import { verifyOcsp } from '#verifier/status/verify-ocsp.js'
import { readTimeStampResponse } from '#verifier/timestamp/time-stamp-exchange.js'
import { verifyTimeStamp, verifyTimeStampToken } from '#verifier/timestamp/verify-time-stamp.js'
import { verifySignature } from '#verifier/verify-signature.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { readXmlSignature } from '#verifier/xml/read-xml-signature.js'
import { verifyXmlDocument, verifyXmlSignatures } from '#verifier/xml/verify-xml-document.js'
import { der, integerDer, oidDer } from '../support/der.js'
import { NOW } from '../support/pki/authorities.js'
import type { Entity } from '../support/pki/hierarchy.js'
import { trustOf } from '../support/pki/trust.js'
import { testVerifier } from '../support/pki/verifier.js'
import { signatureTemplate, signTemplate } from '../support/xml/sign-template.js'
import { type DerNode, encode, treeOf } from './der-tree.js'
import { changeTree, mutateDer, mutateOctets } from './mutate-der.js'
import { mutateText } from './mutate-text.js'
import type { Random } from './random.js'
import { type Seeds, TEXT } from './seeds.js'

/** One function of the verifier with a maker of inputs for it. */
export interface Target {
  readonly name: string
  /** `coded`: only errors of the catalogue may leave it; `der`: a reader of one structure, DerError too. */
  readonly leaves: 'coded' | 'der'
  make(random: Random): Uint8Array | string
  run(input: Uint8Array | string): unknown
}

const ECDSA_SHA256 = der(0x30, oidDer('1.2.840.10045.4.3.2'))

/** A to-be-signed part, changed and then rightly signed: what comes after the signature check is reached too. */
function resigned(seeds: readonly Uint8Array[], by: Entity, random: Random): Buffer {
  const [first, ...others] = seeds
  const { value } = treeOf(first === undefined || random.chance(20) ? random.pick(others) : first)
  const tbs = Buffer.isBuffer(value) ? undefined : value[0]
  if (tbs === undefined) throw new TypeError('a seed has no signed part')
  for (let changes = random.below(4); changes > 0; changes -= 1) changeTree(tbs, seeds, random)
  const bytes = encode(tbs)
  return der(0x30, bytes, ECDSA_SHA256, der(0x03, Buffer.of(0), sign('sha256', bytes, by.key)))
}

/** Every extension, name and key of a certificate. */
function lookAt(certificate: Certificate): void {
  const { extensions } = certificate
  for (const name of Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(extensions))))
    void extensions[name as keyof typeof extensions]
  void [certificate.subject.toString(), certificate.issuer.toString(), certificate.isSelfIssued, certificate.publicKey]
}

const octets = (input: Uint8Array | string): Uint8Array => (typeof input === 'string' ? Buffer.from(input) : input)
const text = (input: Uint8Array | string): string => (typeof input === 'string' ? input : Buffer.from(input).toString())

/** Everything that reads what strangers send. */
export function targetsOf(seeds: Seeds): readonly Target[] {
  const { authorities, people, root, issuing, leaf, crl } = seeds
  const trust = trustOf(authorities)
  const [person] = people
  if (person === undefined) throw new TypeError('nobody to sign')
  const subject = Certificate.parse(person.certificate)
  const issuer = Certificate.parse(person.issuer)
  const status = { certificate: subject, issuer, trust, time: NOW, now: NOW }
  const responder = authorities.hierarchy
    .jurisdictions()
    .find(({ issuer: ca }) => ca.equals(person.issuer))
    ?.responder()
  if (responder === undefined) throw new TypeError('nobody to answer')
  const fuzzTrust = { anchors: [root.certificate], intermediates: [issuing.certificate], crls: [crl] }
  const verifier = testVerifier(devAuthorities({ authorities }))
  const stamp = { trust, now: NOW }
  const xml = [...seeds.documents, ...seeds.elements]
  const base64 = seeds.cms.map((cms) => cms.toString('base64'))
  const pem = base64.map((body) => `-----BEGIN CMS-----\n${body.replace(/.{64}/g, '$&\n')}\n-----END CMS-----\n`)
  const template = `<a Id="x"><b>1</b>${signatureTemplate(person)}</a>`
  const fromDer = (from: readonly Uint8Array[]) => (random: Random) => mutateDer(from, random)
  const infos = seeds.stamps.slice(0, 1).map((token) => contentOf(treeOf(token)))

  return [
    { name: 'readCms', leaves: 'coded', make: fromDer(seeds.cms), run: (input) => readCms(octets(input)) },
    {
      name: 'readCms, in BER',
      leaves: 'coded',
      make: (random) => inBer(seeds.cms, random),
      run: (input) => readCms(octets(input), { trailingZeros: true }),
    },
    {
      name: 'normalizeCms of BER',
      leaves: 'der',
      make: (random) => inBer([...seeds.cms, ...seeds.stamps], random),
      run: (input) => {
        const der = normalizeCms(octets(input))
        if (!normalizedAgain(der)) throw new Error('what is normalized can be normalized again')
      },
    },
    {
      name: 'verifyTimeStamp, in BER',
      leaves: 'coded',
      make: (random) => inBer(seeds.stamps, random),
      run: (input) => verifyTimeStamp(octets(input), TEXT, stamp),
    },
    {
      name: 'exportCms',
      leaves: 'coded',
      make: fromDer(seeds.cms),
      run: (input) => exportCms(octets(input), { timeStamp: Buffer.of(5, 0), ocsp: Buffer.of(5, 0) }),
    },
    {
      name: 'longTermCms',
      leaves: 'coded',
      make: fromDer(seeds.cms),
      run: (input) => {
        const evidence = { timeStamp: Buffer.of(5, 0), ocsp: Buffer.of(5, 0) }
        const written = longTermCms(octets(input), evidence)
        if (Buffer.compare(longTermCms(written, evidence), written) !== 0)
          throw new Error('written again it is the same')
      },
    },
    {
      name: 'SignatureVerifier.verify',
      leaves: 'coded',
      make: fromDer(seeds.cms.slice(0, people.length)),
      run: (input) => verifier.verify(Buffer.from(octets(input))),
    },
    {
      name: 'verifySignature, signed attributes rightly signed',
      leaves: 'coded',
      make: (random) => signedAgain(seeds, random),
      run: (input) => {
        const signature = readCms(octets(input))
        const { timeStamp, ocsp = Buffer.alloc(0) } = signature
        signerFacts(signature)
        return verifySignature(signature, { timeStamp: timeStamp?.token ?? Buffer.alloc(0), ocsp }, { trust, now: NOW })
      },
    },
    {
      name: 'decodeSignature',
      leaves: 'coded',
      make: (random) => mutateText(random.chance(50) ? base64 : pem, random),
      run: (input) => decodeSignature(text(input)),
    },
    {
      name: 'Certificate',
      leaves: 'der',
      make: fromDer(seeds.certificates),
      run: (input) => lookAt(Certificate.parse(octets(input))),
    },
    {
      name: 'buildPath, certificate rightly signed',
      leaves: 'der',
      make: (random) => resigned([leaf.certificate.der, ...seeds.certificates], issuing, random),
      run: (input) => {
        const certificate = Certificate.parse(octets(input))
        return buildPath(certificate, { trust: fuzzTrust, time: NOW, purposes: ['1.3.6.1.5.5.7.3.4'] })
      },
    },
    {
      name: 'buildPath, authority rightly signed',
      leaves: 'der',
      make: (random) => resigned([issuing.certificate.der, ...seeds.certificates], root, random),
      run: (input) => {
        const candidates = [Certificate.parse(octets(input))]
        const policies = { initial: ['1.2.3.1'], requireExplicit: true }
        return buildPath(leaf.certificate, {
          trust: { ...fuzzTrust, intermediates: [] },
          candidates,
          time: NOW,
          policies,
        })
      },
    },
    {
      name: 'Crl',
      leaves: 'der',
      make: fromDer(seeds.crls),
      run: (input) => Crl.parse(octets(input)).entries.find(Buffer.of(0x11, 0x22), issuing.certificate.subject),
    },
    {
      name: 'buildPath, CRL rightly signed',
      leaves: 'der',
      make: (random) => resigned([crl.der, ...seeds.crls], issuing, random),
      run: (input) => {
        const crls = [Crl.parse(octets(input)), crl]
        return buildPath(leaf.certificate, { trust: { ...fuzzTrust, crls }, time: NOW, crlUse: 'leaf' })
      },
    },
    {
      name: 'verifyOcsp',
      leaves: 'coded',
      make: fromDer(seeds.answers),
      run: (input) => verifyOcsp(octets(input), status),
    },
    {
      name: 'verifyOcsp, response data rightly signed',
      leaves: 'coded',
      make: (random) => {
        const { value } = treeOf(random.pick(seeds.answers.slice(0, 1)))
        const [data, , , certificates] = Buffer.isBuffer(value) ? [] : value
        if (data === undefined || certificates === undefined) throw new TypeError('an answer has no data')
        for (let changes = 1 + random.below(3); changes > 0; changes -= 1) changeTree(data, seeds.answers, random)
        const tbs = encode(data)
        const { key } = responder
        const signature = der(0x03, Buffer.of(0), key.sign(tbs, key.hash))
        return der(0x30, tbs, key.signatureAlgorithm(key.hash), signature, encode(certificates))
      },
      run: (input) => verifyOcsp(octets(input), status),
    },
    {
      name: 'readOcspResponse',
      leaves: 'der',
      make: (random) =>
        mutateDer(
          [
            der(
              0x30,
              der(0x0a, Buffer.of(0)),
              der(0xa0, der(0x30, oidDer('1.3.6.1.5.5.7.48.1.1'), der(0x04, random.pick(seeds.answers)))),
            ),
          ],
          random,
        ),
      run: (input) => readOcspResponse(octets(input)),
    },
    {
      name: 'verifyTimeStamp',
      leaves: 'coded',
      make: fromDer(seeds.stamps),
      run: (input) => verifyTimeStamp(octets(input), TEXT, stamp),
    },
    {
      name: 'verifyTimeStamp, TSTInfo rightly signed',
      leaves: 'coded',
      make: (random) => {
        const info = treeOf(random.pick(infos))
        for (let changes = 1 + random.below(3); changes > 0; changes -= 1) changeTree(info, seeds.stamps, random)
        return stampOf(encode(info), seeds)
      },
      run: (input) => verifyTimeStampToken(octets(input), stamp),
    },
    {
      name: 'readTimeStampResponse',
      leaves: 'der',
      make: (random) =>
        mutateDer(
          [
            der(0x30, der(0x30, integerDer(0)), random.pick(seeds.stamps)),
            der(0x30, der(0x30, integerDer(2), der(0x30, der(0x0c, TEXT)), der(0x03, Buffer.of(0, 0x80)))),
          ],
          random,
        ),
      run: (input) => readTimeStampResponse(octets(input)),
    },
    {
      name: 'readXmlSignature',
      leaves: 'coded',
      make: (random) => mutateText(seeds.elements, random),
      run: (input) => readXmlSignature(text(input)),
    },
    {
      name: 'verifyXmlDocument',
      leaves: 'coded',
      make: (random) => mutateText(xml, random),
      run: (input) => verifyXmlDocument(text(input), { covers: 'element' }),
    },
    {
      name: 'verifyXmlSignatures',
      leaves: 'coded',
      make: (random) => mutateText(xml, random),
      run: (input) => verifyXmlSignatures(text(input), { covers: 'element' }),
    },
    {
      name: 'verifyXmlDocument, rightly signed',
      leaves: 'coded',
      make: (random) => {
        const changed = mutateText([template], random)
        try {
          return signTemplate(changed, person)
        } catch {
          return changed
        }
      },
      run: (input) => verifyXmlDocument(text(input), { covers: 'element' }),
    },
    {
      name: 'readXmlSignature, octets',
      leaves: 'coded',
      make: (random) => mutateOctets(Buffer.from(random.pick(seeds.elements)), random),
      run: (input) => readXmlSignature(text(input)),
    },
  ]
}

const FORMS: readonly BerForm[] = ['der', 'der', 'indefinite', 'longLength', 'pieces']

/** A good or changed encoding in BER, some of whose octets may be changed again. */
function inBer(seeds: readonly Uint8Array[], random: Random): Buffer {
  const from = random.chance(40) ? Buffer.from(random.pick(seeds)) : mutateDer(seeds, random)
  const form = random.pick(FORMS)
  const spare = random.chance(50)
  try {
    const ber = toBer(from, (place) =>
      spare && isSignedPlace(place) ? 'der' : random.chance(30) ? random.pick(FORMS) : form,
    )
    return random.chance(40) ? mutateOctets(ber, random) : ber
  } catch {
    return mutateOctets(from, random)
  }
}

const normalizedAgain = (der: Uint8Array): boolean => Buffer.compare(normalizeCms(der), der) === 0

/** The signed attributes of a good CMS, changed and signed by the same person. */
function signedAgain({ people, cms }: Seeds, random: Random): Buffer {
  const signer = random.pick(people)
  return signer.signCms(TEXT, {
    timeStamp: random.chance(80),
    ocsp: random.chance(80),
    signedAttributes: (honest) =>
      honest.map((attribute) => {
        if (!random.chance(40)) return attribute
        const values = { tag: 0x30, prefix: Buffer.alloc(0), value: attribute.values.map(treeOf) }
        changeTree(values, cms, random)
        return { ...attribute, values: Buffer.isBuffer(values.value) ? [values.value] : values.value.map(encode) }
      }),
  })
}

/** A token of the development authority around any octets. */
function stampOf(info: Buffer, { authorities }: Seeds): Buffer {
  const signer = authorities.hierarchy.timeStamping
  const { hash } = signer.key
  const signedAttributes = [
    contentType(CMS.tstInfo),
    messageDigest(info, hash),
    signingCertificateV2(signer.certificate),
  ]
  return signedData({
    contentType: CMS.tstInfo,
    content: info,
    digestAlgorithms: [digestAlgorithm(hash)],
    certificates: [signer.certificate],
    signerInfos: [signerInfo({ signer, hash, content: info, signedAttributes })],
  })
}

/** The octets of the encapsulated content of a SignedData. */
function contentOf(root: DerNode): Buffer {
  const at = (node: DerNode | undefined, index: number): DerNode | undefined =>
    node === undefined || Buffer.isBuffer(node.value) ? undefined : node.value[index]
  const info = at(at(at(at(at(at(root, 1), 0), 2), 1), 0), 0)
  if (info === undefined) throw new TypeError('a token has no content')
  return encode(info)
}
