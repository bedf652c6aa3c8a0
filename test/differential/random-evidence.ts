import { ocspResponse } from '#dev-authorities/authority/ocsp.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import type { SignerInfo } from '#verifier/cms/signer-info.js'
import { DerError } from '#verifier/der/reader.js'
import type { Certificate } from '#verifier/x509/certificate.js'
import { mutateDer, mutateOctets } from '../fuzz/mutate-der.js'
import type { Random } from '../fuzz/random.js'
import { DAY, NOW, testAuthorities } from '../support/pki/authorities.js'
import {
  authorityKeyIdentifier,
  certificateIssuer,
  extension,
  issuingDistributionPoint,
  reasonCode,
} from '../support/pki/extensions.js'
import {
  type CrlParts,
  crlNumber,
  deltaCrl,
  type Entity,
  issue,
  issueAuthority,
  issueCrl,
} from '../support/pki/hierarchy.js'
import type { AnswerInput, MessageInput, PathInput, StampInput } from './evidence.js'

const TEXT = Buffer.from('a contract')
const authorities = testAuthorities()
const people = (['rsa2048', 'p256', 'p384'] as const).map((algorithm) => authorities.person({ algorithm }))
const known = {
  time: NOW,
  anchor: authorities.anchors[0] ?? Buffer.alloc(0),
  others: (['rsa', 'ecdsa'] as const).map((name) => authorities.hierarchy.issuing(name).certificate),
}

/** Changed so many times in a hundred, else as it is; of BER only octets are changed, not elements. */
export function someOf(encoded: Uint8Array, random: Random, percent = 90): Buffer {
  if (!random.chance(percent)) return Buffer.from(encoded)
  return encoded[1] === INDEFINITE ? mutateOctets(Buffer.from(encoded), random) : mutateDer([encoded], random)
}

const INDEFINITE = 0x80

/** What is odd about a CMS or a token, where a disagreement depends on it. */
export function traitsOfCms(der: Uint8Array): string[] {
  const issuing = authorities.hierarchy.issuing('rsa').certificate
  const traits = Buffer.from(der).includes(issuing) ? [] : ['issuerNotCarried']
  try {
    const isUnsorted = ({ signedAttributes: found }: SignerInfo) =>
      found !== undefined && Buffer.compare(found.received, found.sorted) !== 0
    const { signerInfos, digestAlgorithms } = readSignedData(der)
    if (digestAlgorithms.length > 1) traits.push('severalDigests')
    return signerInfos.some(isUnsorted) ? [...traits, 'unsorted'] : traits
  } catch (error) {
    if (error instanceof DerError) return traits
    throw error
  }
}

export function randomMessage(random: Random): MessageInput {
  const cms = random.pick(people).signCms(TEXT, { hash: random.pick(['sha256', 'sha384', 'sha512'] as const) })
  const changed = someOf(cms, random)
  return {
    ...known,
    traits: traitsOfCms(changed),
    cms: changed,
    data: random.chance(97) ? TEXT : Buffer.from('another contract'),
  }
}

export function randomStamp(random: Random): StampInput {
  const data = random.chance(97) ? TEXT : Buffer.from('another contract')
  const token = someOf(authorities.tsa.stamp(TEXT), random)
  return { ...known, traits: traitsOfCms(token), token, data }
}

export function randomAnswer(random: Random): AnswerInput {
  const { certificate, issuer } = random.pick(people)
  const about = random.chance(95) ? certificate : random.pick(people).certificate
  const response = someOf(ocspResponse(authorities.ocsp.status(certificate, issuer)), random)
  return { ...known, response, certificate: about, issuer }
}

/** Root, one authority, leaf, and CRLs of both authorities with something odd about them. */
export function randomPathWithCrls(random: Random): PathInput {
  const root = issueAuthority(undefined, { subject: 'differential root' })
  const issuing = issueAuthority(root, { subject: 'differential issuing' })
  const leaf = issue(issuing, { subject: 'differential leaf' })
  const traits: string[] = []
  const crls = [root, issuing].flatMap((by) =>
    listsOf(by, by === root ? issuing.certificate : leaf.certificate, random, traits),
  )
  const [anchor, middle, last] = [root, issuing, leaf].map(({ certificate }) => certificate.der)
  if (anchor === undefined || middle === undefined || last === undefined) throw new TypeError('three certificates')
  return { traits, time: NOW, anchor, others: [middle], leaf: last, crls }
}

/** Deltas have to name the key that the complete one names. */
const KEY = authorityKeyIdentifier('key')
/** One CRL or none, or a complete one and a delta; says in `traits` what is odd about them. */
function listsOf(by: Entity, { serialBytes: serial }: Certificate, random: Random, traits: string[]): Uint8Array[] {
  if (random.chance(6)) return []
  const other = { serial: Buffer.of(0x21) }
  const at = random.pick([NOW - DAY, NOW - 1000, NOW + DAY])
  const reason = random.pick([0, 1, 6, 8, 10])
  const critical = random.chance(60)
  const odd = [
    { serial, at },
    { serial, at, extensions: [reasonCode(reason)] },
    { ...other, extensions: [extension('1.2.3', Buffer.of(5, 0), critical)] },
    { serial, at, extensions: [certificateIssuer(by.certificate.subject.der)] },
  ]
  const entry = random.pick([...Array.from({ length: 12 }, () => other), ...odd])
  if (at > NOW) traits.push('laterEntry')
  if (entry === odd[2] && critical) traits.push('strangeEntry')
  if (reason === 8) traits.push('removedInComplete')
  const scope = random.chance(35)
    ? [issuingDistributionPoint({ flags: [random.pick([1, 2, 4, 5])] })]
    : random.chance(10)
      ? [extension('1.2.3.4', Buffer.of(5, 0), random.chance(60))]
      : []
  const times: Pick<CrlParts, 'thisUpdate' | 'nextUpdate'> = random.pick([
    ...Array.from({ length: 12 }, () => ({})),
    { thisUpdate: NOW - 3 * DAY, nextUpdate: NOW - DAY },
    { thisUpdate: NOW + DAY },
    { nextUpdate: null },
  ])
  if (times.thisUpdate === NOW + DAY || times.nextUpdate === null) traits.push('futureOrForEver')
  const complete = issueCrl(by, { revoked: [entry], extensions: [KEY, crlNumber(5), ...scope], ...times })
  if (random.chance(70)) return [complete.der]
  const late = random.pick([other, { serial, at: NOW - 500 }, { serial, at: NOW - 500, extensions: [reasonCode(8)] }])
  traits.push('delta')
  const [base, number] = random.pick([
    [5, 6],
    [4, 7],
    [6, 7],
    [3, 4],
  ] as const)
  const delta = issueCrl(by, { revoked: [late], extensions: [KEY, crlNumber(number), deltaCrl(base), ...scope] })
  return [complete.der, delta.der]
}
