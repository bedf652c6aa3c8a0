import { writeSignedData } from '#verifier/cms/content-of-cms.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { children, DerError, encoded, readDer } from '#verifier/der/reader.js'
import { writeElement } from '#verifier/der/writer.js'
import { RegistryError } from '#verifier/error.js'
import { buildPath } from '#verifier/path/build-path.js'
import { trustEntries } from '#verifier/path/read-trust.js'
import { verifyTimeStampToken } from '#verifier/timestamp/verify-time-stamp.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { verifyXmlDocument, verifyXmlSignatures } from '#verifier/xml/verify-xml-document.js'
import { conformanceFile, conformanceJson } from '../support/conformance.js'
import { cutOff, flippedBits, type Mutant, rebuilt } from '../support/der-mutants.js'
import { issue } from '../support/pki/hierarchy.js'

/** A vector that is accepted as it is, and what it says. */
export interface Vector {
  readonly name: string
  readonly mutants: () => Iterable<Mutant>
  readonly original: Uint8Array
  /** All that may be relied on; throws for what is refused. */
  meaning(bytes: Uint8Array): string
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const SHA_1 = '1.3.14.3.2.26'
const lenient = { minRsaBits: 1024, minDsaBits: 1024, digestsTrustedUntil: { [SHA_1]: Number.POSITIVE_INFINITY } }

function* everyMutant(der: Uint8Array): Generator<Mutant> {
  yield* flippedBits(der)
  yield* cutOff(der)
  yield* rebuilt(der)
}

/** Kazakh CMS, each signer for itself: what was signed, by whom. */
export function cmsVectors(): Vector[] {
  const files = [
    'SIGNED_DETACHED_CMS-dfac5dc3',
    'SIGNED_CMS-15ca1a4e',
    'SIGNED_CMS-a638205e',
    'SIGNED_CMS_ONE_SIGNER-89607f05',
  ]
  return files.flatMap((name) => {
    const { parts } = readSignedData(conformanceFile(`kz/signatures/${name}.der`))
    return children(parts.signerInfos).map((info, index): Vector => {
      const original = writeSignedData(parts, { signerInfos: writeElement(0x31, encoded(info)) })
      return {
        name: `${name} signer ${index}`,
        original,
        mutants: () => everyMutant(original),
        meaning: cmsMeaning(original),
      }
    })
  })
}

const AUTHORITIES = ['NCA_2004_GOST_CERT-9545369f.pem', 'NCA_2004_RSA_CERT-e4c3af49.pem', 'NCA_2015_CERT-fd467bf5.der']

/** The signer under its issuer, the digests that it signed, and what identifies the signature. */
function cmsMeaning(original: Uint8Array): (der: Uint8Array) => string {
  const anchors = AUTHORITIES.flatMap((name) =>
    trustEntries({ name, bytes: conformanceFile(`kz/signatures/${name}`) }).map(({ der }) => Certificate.parse(der)),
  )
  const time = readCms(original).signer.notBefore + 1000
  return (der) => {
    const { signer, certificates, digests, fingerprint } = readCms(der)
    buildPath(signer, { trust: { anchors, intermediates: [] }, candidates: certificates, time })
    // Content left out makes it detached; content that is there is bound by the digest.
    return JSON.stringify([hex(signer.tbs), digests.map(({ oid, value }) => `${oid} ${hex(value)}`), hex(fingerprint)])
  }
}

interface Case {
  readonly title: string
  readonly certs: readonly string[]
  readonly crls: readonly string[]
  readonly expected: 'valid' | 'invalid'
  readonly cms?: string
}

/** PKITS paths that hold: every certificate and CRL on them, changed one at a time. */
export function pathVectors(): Vector[] {
  const { time, cases } = conformanceJson<{ time: string; cases: Case[] }>('pkits/index.json')
  return cases
    .filter(({ expected, certs }) => expected === 'valid' && certs.length > 1)
    .flatMap((test) => {
      const files = [...test.certs.slice(1), ...test.crls]
      return files.map((file, changed): Vector => {
        const original = conformanceFile(`pkits/${file}`)
        const anchor = Certificate.parse(conformanceFile(`pkits/${test.certs[0]}`))
        const published = test.crls.map((name) => hex(Crl.parse(conformanceFile(`pkits/${name}`)).tbs))
        const meaning = (bytes: Uint8Array): string => {
          const read = files.map((name, index) => (index === changed ? bytes : conformanceFile(`pkits/${name}`)))
          const certificates = read.slice(0, test.certs.length - 1).map((der) => Certificate.parse(der))
          const crls = read.slice(test.certs.length - 1).map((der) => Crl.parse(der))
          const leaf = certificates[certificates.length - 1] as Certificate
          const trust = { anchors: [anchor], intermediates: [], crls }
          const context = { trust, candidates: certificates.slice(0, -1), time: Date.parse(time), algorithms: lenient }
          const path = buildPath(leaf, { ...context, crlUse: 'required' })
          // A CRL that was changed may only be left aside.
          const strange = path.witnesses?.crls.filter(({ tbs }) => !published.includes(hex(tbs)))
          return JSON.stringify([path.certificates.map(({ tbs }) => hex(tbs)), [...path.policies].sort(), strange])
        }
        return { name: `${test.title} ${file}`, original, mutants: () => everyMutant(original), meaning }
      })
    })
}

/** Kazakh time stamp: what it says, and who says it. */
export function stampVectors(): Vector[] {
  const [issuer] = trustEntries({ name: 'issuer', bytes: conformanceFile('kz/tsp-ocsp/nca_gost_test.crt') })
  const trust = { anchors: [Certificate.parse(issuer?.der ?? Buffer.alloc(0))], intermediates: [] }
  const original = conformanceFile('kz/tsp-ocsp/tsp_token.bin')
  const meaning = (bytes: Uint8Array): string => {
    const { genTime, policy, info, signer } = verifyTimeStampToken(bytes, { trust, now: Date.UTC(2022, 8, 19) })
    return JSON.stringify([genTime, policy, info.serialNumber, hex(info.imprint.value), hex(signer.tbs)])
  }
  return [{ name: 'tsp_token.bin', original, mutants: () => everyMutant(original), meaning }]
}

/** Certificates for a signer's key by somebody else: under each, a CMS is refused or means the same. */
export function* otherCertificates(der: Uint8Array): Generator<Mutant> {
  const { certificates, parts } = readSignedData(der)
  const { signer } = readCms(der)
  for (const serial of [undefined, BigInt(`0x${signer.serialNumber}`)]) {
    const { der: other } = issue(undefined, {
      spki: Buffer.from(signer.spki),
      subject: Buffer.from(signer.subject.der),
      issuer: Buffer.from(signer.issuer.der),
      ...(serial === undefined ? {} : { serial }),
    }).certificate
    const replaced = certificates.map((one) => (one.fingerprint === signer.fingerprint ? other : one.der))
    for (const [name, set] of [
      ['in its place', replaced],
      ['beside it', [...certificates.map((one) => one.der), other]],
    ] as const)
      yield {
        name: `another certificate of the same key ${name}${serial === undefined ? '' : ', same serial number'}`,
        der: writeSignedData({ ...parts, certificates: readSet(set) }, {}),
      }
  }
}

const readSet = (members: readonly Uint8Array[]) => readDer(writeElement(0xa0, ...members))

/** Tags, attributes, texts and characters of XML that is accepted. */
export function* textMutants(text: string): Generator<Mutant> {
  const tokens = text.match(/<[^>]*>|[^<]+/g) ?? []
  const mutant = (name: string, changed: readonly string[]): Mutant => ({ name, der: Buffer.from(changed.join('')) })
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1] ?? ''
    yield mutant(`token ${at} dropped`, tokens.toSpliced(at, 1))
    yield mutant(`token ${at} doubled`, tokens.toSpliced(at, 0, token))
    yield mutant(`token ${at} swapped`, tokens.toSpliced(at, 2, next, token))
    yield mutant(`comment before token ${at}`, tokens.toSpliced(at, 0, '<!-- -->'))
    yield mutant(`space before token ${at}`, tokens.toSpliced(at, 0, ' '))
    yield mutant(`instruction before token ${at}`, tokens.toSpliced(at, 0, '<?x y?>'))
  }
  for (let at = 0; at < text.length; at += 3) {
    const other = text[at] === 'A' ? 'B' : 'A'
    yield { name: `character ${at} replaced`, der: Buffer.from(text.slice(0, at) + other + text.slice(at + 1)) }
    yield { name: `character ${at} dropped`, der: Buffer.from(text.slice(0, at) + text.slice(at + 1)) }
  }
}

interface XmlRow {
  readonly file: string
  readonly expected: string
  readonly inProfile: string
  readonly xmlsecParams: string
}

const ANY = { covers: 'element' } as const

/** XML that is accepted: what was signed, and by whom. */
export function xmlVectors(): Vector[] {
  const rows = conformanceJson<{ cases: XmlRow[] }>('xmlsec/index.json').cases
  const core = rows.filter(({ inProfile, expected }) => inProfile === 'core' && expected === 'valid')
  const files = ['kz/xml/ncanode_0.xml', 'kz/xml/ncanode_1.xml', ...new Set(core.map(({ file }) => `xmlsec/${file}`))]
  return files.flatMap((file): Vector[] => {
    const original = conformanceFile(file)
    const meaning = (bytes: Uint8Array): string => {
      const text = Buffer.from(bytes).toString('utf8')
      const signed = file.endsWith('ncanode_1.xml') ? verifyXmlSignatures(text, ANY) : [verifyXmlDocument(text, ANY)]
      return JSON.stringify(
        signed.map(({ signature, contents, covers }) => [covers, contents.map(hex), hex(signature.signer.spki)]),
      )
    }
    const accepted = judged(() => meaning(original)) !== undefined
    return accepted ? [{ name: file, original, mutants: () => textMutants(original.toString('utf8')), meaning }] : []
  })
}

/** What was found, or nothing where it was refused with an error of ours. */
export function judged<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch (error) {
    if (error instanceof RegistryError || error instanceof DerError) return undefined
    throw error
  }
}
