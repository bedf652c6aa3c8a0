import type { Random } from '../fuzz/random.js'
import { der, integerDer, nameDer } from '../support/der.js'
import { DAY, NOW } from '../support/pki/authorities.js'
import {
  basicConstraints,
  certificatePolicies,
  extension,
  extKeyUsage,
  general,
  keyUsage,
  nameConstraints,
  policyMappings,
  requireExplicitPolicy,
  subjectAltName,
} from '../support/pki/extensions.js'
import { type Entity, issue } from '../support/pki/hierarchy.js'
import type { PathInput } from './evidence.js'

const { dns, email, uri, ip, directory } = general
const ORGANIZATION = nameDer([['2.5.4.10', 'Org']])
const POLICIES = ['1.2.3.1', '1.2.3.2', '2.5.29.32.0']

const names = [
  dns('a.example.com'),
  dns('example.com'),
  dns('notexample.com'),
  dns('*.example.com'),
  email('box@example.com'),
  email('box@sub.example.com'),
  email('Box@EXAMPLE.com'),
  uri('https://a.example.com/x'),
  uri('https://example.com:443/'),
  ip(192, 0, 2, 1),
  ip(10, 0, 0, 1),
  directory(nameDer([['2.5.4.10', 'ORG']], [['2.5.4.3', 'x']])),
  ip(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
  ip(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1),
  dns('xn--80ak6aa92e.example.com'),
  email('"a b"@example.com'),
  email('\u043fочта@example.com'),
  uri('urn:x:y'),
  uri('https://user@a.example.com:8443/?x@y.test'),
  general.other('1.2.3.9'),
]

const subtrees = [
  dns('example.com'),
  dns('a.example.com'),
  email('example.com'),
  email('.example.com'),
  email('box@example.com'),
  uri('example.com'),
  uri('.example.com'),
  ip(192, 0, 2, 0, 255, 255, 255, 0),
  directory(ORGANIZATION),
  directory(nameDer([['2.5.4.10', ' oRG  ', 0x13]])),
  directory(nameDer([['2.5.4.10', 'Org', 0x1e]])),
  ip(...Buffer.from(`20010db8${'00'.repeat(12)}ffffffff${'00'.repeat(12)}`, 'hex')),
  general.other('1.2.3.9'),
]

/** A BMPString of three octets. */
const NOT_TEXT = Buffer.from('1e034f7267', 'hex')

const skip = (oid: string, count: number): Buffer => extension(oid, integerDer(count), true)
const constraints = (tag: number, count: number): Buffer =>
  extension('2.5.29.36', der(0x30, integerDer(count, tag)), true)

const some = <T>(random: Random, from: readonly T[], most: number): T[] => [
  ...new Set(Array.from({ length: 1 + random.below(most) }, () => random.pick(from))),
]

function authorityExtensions(random: Random): Buffer[] {
  return [
    ...(random.chance(96)
      ? [basicConstraints(random.chance(97), random.chance(30) ? random.below(3) : undefined)]
      : []),
    ...(random.chance(90) ? [random.chance(96) ? keyUsage('keyCertSign', 'cRLSign') : keyUsage('cRLSign')] : []),
    ...(random.chance(30)
      ? [
          nameConstraints(
            random.chance(50) ? { permitted: some(random, subtrees, 3) } : { excluded: some(random, subtrees, 2) },
          ),
        ]
      : []),
    ...(random.chance(70) ? [certificatePolicies(...some(random, POLICIES, 2))] : []),
    ...(random.chance(20) ? [policyMappings([random.pick(POLICIES), random.pick(POLICIES)])] : []),
    ...(random.chance(20)
      ? [requireExplicitPolicy(random.below(3))]
      : random.chance(10)
        ? [constraints(0x81, random.below(2))]
        : []),
    ...(random.chance(15) ? [skip('2.5.29.54', random.below(2))] : []),
    ...(random.chance(3) ? [extension('1.2.3.4', der(0x05), random.chance(50))] : []),
    ...(random.chance(15) ? [extKeyUsage(random.pick(['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.1', '2.5.29.37.0']))] : []),
  ]
}

function subject(random: Random, depth: number): Buffer {
  return nameDer([['2.5.4.10', random.chance(70) ? 'Org' : 'Other']], [['2.5.4.3', `depth ${depth}`]])
}

const validity = (random: Random) =>
  random.chance(2) ? { until: NOW - DAY } : random.chance(2) ? { from: NOW + DAY } : {}

/** Root, one to four authorities with something odd about them, leaf. */
export function randomHierarchy(random: Random): PathInput {
  const path = [issue(undefined, { subject: 'root', extensions: [basicConstraints(true), keyUsage('keyCertSign')] })]
  const depth = 1 + random.below(4)
  for (let index = 1; index < depth; index += 1) {
    const parent = path[index - 1] as Entity
    const selfIssued = index > 1 && random.chance(10) ? { subject: Buffer.from(parent.certificate.subject.der) } : {}
    path.push(
      issue(parent, {
        subject: subject(random, index),
        extensions: authorityExtensions(random),
        ...validity(random),
        ...selfIssued,
      }),
    )
  }
  const extensions = [
    ...(random.chance(60) ? [subjectAltName(...some(random, names, 2))] : []),
    ...(random.chance(70) ? [certificatePolicies(...some(random, POLICIES, 2))] : []),
    ...(random.chance(30) ? [extKeyUsage('1.3.6.1.5.5.7.3.4')] : []),
  ]
  path.push(issue(path[depth - 1], { subject: subject(random, depth), extensions, ...validity(random) }))
  const [anchor, ...rest] = path.map(({ certificate }) => certificate.der)
  const leaf = rest.pop()
  if (anchor === undefined || leaf === undefined) throw new TypeError('a hierarchy has a root and a leaf')
  const traits = [
    ...(path.slice(1).some(({ certificate }) => certificate.isSelfIssued) ? ['selfIssued'] : []),
    ...(rest.some((certificate) => Buffer.from(certificate).includes(NOT_TEXT)) ? ['constraintNotText'] : []),
    ...(Buffer.from(leaf).includes('urn:x:y') ? ['uriWithoutHost'] : []),
    ...(Buffer.from(leaf).includes('Box@EXAMPLE.com') ? ['capitals'] : []),
    ...(Buffer.from(leaf).includes('*.example.com') ? ['wildcard'] : []),
  ]
  return { traits, time: NOW, anchor, others: rest, leaf }
}
