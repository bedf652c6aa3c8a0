import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RegistryError } from '#verifier/error.js'
import { buildPath } from '#verifier/path/build-path.js'
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
import { inFolder } from '../support/pki/openssl.js'

/**
 * Random hierarchies, judged by us and by `openssl verify`; prints how often they agree, and every kind of disagreement.
 * Usage: node dist-test/differential/paths.js [cases] [seed]
 */
const cases = Number(process.argv[2] ?? 400)
const seed = Number(process.argv[3] ?? 1)

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
  ip(
    0x20,
    1,
    0xd,
    0xb8,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0xff,
    0xff,
    0xff,
    0xff,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ),
  general.other('1.2.3.9'),
]

const skip = (oid: string, count: number): Buffer => extension(oid, integerDer(count), true)
const constraints = (tag: number, count: number): Buffer =>
  extension('2.5.29.36', der(0x30, integerDer(count, tag)), true)

// Park-Miller: the same seed gives the same cases.
let state = seed
const random = (below: number): number => {
  state = (state * 48_271) % 2_147_483_647
  return state % below
}
const chance = (percent: number): boolean => random(100) < percent
const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T
const some = <T>(from: readonly T[], most: number): T[] => [
  ...new Set(Array.from({ length: 1 + random(most) }, () => pick(from))),
]

function authorityExtensions(): Buffer[] {
  return [
    ...(chance(96) ? [basicConstraints(chance(97), chance(30) ? random(3) : undefined)] : []),
    ...(chance(90) ? [chance(96) ? keyUsage('keyCertSign', 'cRLSign') : keyUsage('cRLSign')] : []),
    ...(chance(30)
      ? [nameConstraints(chance(50) ? { permitted: some(subtrees, 3) } : { excluded: some(subtrees, 2) })]
      : []),
    ...(chance(70) ? [certificatePolicies(...some(POLICIES, 2))] : []),
    ...(chance(20) ? [policyMappings([pick(POLICIES), pick(POLICIES)])] : []),
    ...(chance(20) ? [requireExplicitPolicy(random(3))] : chance(10) ? [constraints(0x81, random(2))] : []),
    ...(chance(15) ? [skip('2.5.29.54', random(2))] : []),
    ...(chance(3) ? [extension('1.2.3.4', der(0x05), chance(50))] : []),
    ...(chance(15) ? [extKeyUsage(pick(['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.1', '2.5.29.37.0']))] : []),
  ]
}

function subject(depth: number): Buffer {
  return nameDer([['2.5.4.10', chance(70) ? 'Org' : 'Other']], [['2.5.4.3', `depth ${depth}`]])
}

const validity = () => (chance(2) ? { until: NOW - DAY } : chance(2) ? { from: NOW + DAY } : {})

function hierarchy(): Entity[] {
  const path = [issue(undefined, { subject: 'root', extensions: [basicConstraints(true), keyUsage('keyCertSign')] })]
  const depth = 1 + random(4)
  for (let index = 1; index < depth; index += 1) {
    const parent = path[index - 1] as Entity
    const selfIssued = index > 1 && chance(10) ? { subject: Buffer.from(parent.certificate.subject.der) } : {}
    path.push(
      issue(parent, { subject: subject(index), extensions: authorityExtensions(), ...validity(), ...selfIssued }),
    )
  }
  const extensions = [
    ...(chance(60) ? [subjectAltName(...some(names, 2))] : []),
    ...(chance(70) ? [certificatePolicies(...some(POLICIES, 2))] : []),
    ...(chance(30) ? [extKeyUsage('1.3.6.1.5.5.7.3.4')] : []),
  ]
  path.push(issue(path[depth - 1], { subject: subject(depth), extensions, ...validity() }))
  return path
}

function ours([root, ...rest]: Entity[]): string {
  const [leaf, ...candidates] = rest.map(({ certificate }) => certificate).reverse()
  if (root === undefined || leaf === undefined) throw new TypeError('a hierarchy has a root and a leaf')
  try {
    const trust = { anchors: [root.certificate], intermediates: [] }
    buildPath(leaf, { trust, candidates, time: NOW })
    return 'accepted'
  } catch (error) {
    if (error instanceof RegistryError) return String(error.details?.reason)
    throw error
  }
}

function theirs(path: Entity[]): string {
  return inFolder({}, (folder) => {
    const pem = path.map(({ certificate }) => pemOf(certificate.der))
    writeFileSync(join(folder, 'root.pem'), pem[0] as string)
    writeFileSync(join(folder, 'others.pem'), pem.slice(1, -1).join(''))
    writeFileSync(join(folder, 'leaf.pem'), pem[pem.length - 1] as string)
    const options = [
      '-attime',
      String(NOW / 1000),
      '-CAfile',
      'root.pem',
      '-policy_check',
      '-policy',
      '2.5.29.32.0',
      '-no-CApath',
      '-no-CAstore',
    ]
    const others = pem.length > 2 ? ['-untrusted', 'others.pem'] : []
    const purpose = ['-purpose', 'any']
    const run = spawnSync('openssl', ['verify', ...options, ...others, ...purpose, 'leaf.pem'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return run.status === 0
      ? 'accepted'
      : (/error \d+ at \d+ depth lookup: ?(.*)/.exec(run.stderr)?.[1] ?? run.stderr.slice(0, 100))
  })
}

const pemOf = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`

const tally = new Map<string, number>()
let agreed = 0
let accepted = 0
for (let index = 0; index < cases; index += 1) {
  const path = hierarchy()
  const [mine, other] = [ours(path), theirs(path)]
  if ((mine === 'accepted') === (other === 'accepted')) agreed += 1
  else {
    const kind = `we: ${mine}; OpenSSL: ${other}`
    tally.set(kind, (tally.get(kind) ?? 0) + 1)
    if (process.env.KEEP !== undefined && mine === 'accepted')
      writeFileSync(
        join(process.env.KEEP, `${index}.pem`),
        path.map(({ certificate }) => pemOf(certificate.der)).join(''),
      )
  }
  if (mine === 'accepted') accepted += 1
}
console.log(`${cases} hierarchies from seed ${seed}: ${agreed} verdicts agree, we accept ${accepted}`)
for (const [kind, count] of tally) console.log(`${String(count).padStart(6)}  ${kind}`)
