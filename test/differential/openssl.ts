import { spawnSync } from 'node:child_process'
import { ocspResponse } from '#dev-authorities/authority/ocsp.js'
import { pem } from '#dev-authorities/pem.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { DerError } from '#verifier/der/reader.js'
import { RegistryError } from '#verifier/error.js'
import { buildPath } from '#verifier/path/build-path.js'
import { verifyOcsp } from '#verifier/status/verify-ocsp.js'
import { verifyTimeStamp } from '#verifier/timestamp/verify-time-stamp.js'
import { Certificate } from '#verifier/x509/certificate.js'
import type { Crl } from '#verifier/x509/crl.js'
import { mutateDer } from '../fuzz/mutate-der.js'
import { Random } from '../fuzz/random.js'
import { DAY, NOW, testAuthorities } from '../support/pki/authorities.js'
import { certificateIssuer, extension, issuingDistributionPoint, reasonCode } from '../support/pki/extensions.js'
import { crlNumber, deltaCrl, type Entity, issue, issueAuthority, issueCrl } from '../support/pki/hierarchy.js'
import { inFolder } from '../support/pki/openssl.js'
import { trustOf } from '../support/pki/trust.js'

/**
 * The same inputs to OpenSSL and to us: paths with CRLs, CMS, time stamps, OCSP answers. Prints how often the verdicts
 * agree and every kind of disagreement. `node dist-test/differential/openssl.js [cases of each kind] [seed]`
 */
const cases = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? 1)
const random = new Random(seed)
const AT = ['-attime', String(NOW / 1000)]
const TEXT = Buffer.from('a contract')
const certificatePem = (der: Uint8Array): string => pem('CERTIFICATE', Buffer.from(der))

interface Verdict {
  readonly accepted: boolean
  readonly why: string
}

function ours(run: () => unknown): Verdict {
  try {
    run()
    return { accepted: true, why: 'accepted' }
  } catch (error) {
    if (error instanceof DerError) return { accepted: false, why: `DerError: ${error.message}` }
    if (!(error instanceof RegistryError)) throw error
    return {
      accepted: false,
      why: `${error.code} ${String(error.details?.reason)} ${String(error.details?.explanation ?? error.details?.problem ?? '')}`,
    }
  }
}

function theirs(folder: string, args: readonly string[], good: RegExp): Verdict {
  const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
  const said = stdout + stderr
  const why =
    /error \d+ at .*lookup: ?(.*)/.exec(said)?.[1] ?? /:([^:\n]+):[^:\n]*:\d+:/.exec(said)?.[1] ?? said.slice(0, 80)
  return status === 0 && good.test(said) ? { accepted: true, why: 'accepted' } : { accepted: false, why: why.trim() }
}

/** Compares so many cases; `make` gives the two verdicts of one. */
function compare(name: string, make: () => readonly [Verdict, Verdict]): void {
  const kinds = new Map<string, number>()
  let agreed = 0
  let accepted = 0
  for (let index = 0; index < cases; index += 1) {
    const [mine, other] = make()
    if (mine.accepted) accepted += 1
    if (mine.accepted === other.accepted) agreed += 1
    else {
      const kind = `we: ${mine.why.trim()}; OpenSSL: ${other.why}`
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
  }
  console.log(`${name}: ${agreed} of ${cases} verdicts agree, we accept ${accepted}`)
  for (const [kind, count] of [...kinds].sort((a, b) => b[1] - a[1]))
    console.log(`${String(count).padStart(6)}  ${kind}`)
}

/** Root, one authority, leaf, and CRLs of both authorities with something odd about them. */
function pathWithCrls(): readonly [Verdict, Verdict] {
  const root = issueAuthority(undefined, { subject: 'differential root' })
  const issuing = issueAuthority(root, { subject: 'differential issuing' })
  const leaf = issue(issuing, { subject: 'differential leaf' })
  const lists = [...listsOf(root, issuing.certificate), ...listsOf(issuing, leaf.certificate)]
  const trust = { anchors: [root.certificate], intermediates: [issuing.certificate], crls: lists }
  const mine = ours(() => buildPath(leaf.certificate, { trust, time: NOW, crlUse: 'required' }))
  const files = {
    'root.pem': certificatePem(root.certificate.der),
    'issuing.pem': certificatePem(issuing.certificate.der),
    'leaf.pem': certificatePem(leaf.certificate.der),
    'crls.pem': lists.map(({ der }) => pem('X509 CRL', Buffer.from(der))).join(''),
  }
  const given = lists.length === 0 ? [] : ['-CRLfile', 'crls.pem']
  const args = ['verify', ...AT, '-no-CApath', '-no-CAstore', '-crl_check_all', '-extended_crl', '-use_deltas']
  const all = [...args, '-CAfile', 'root.pem', '-untrusted', 'issuing.pem', ...given, 'leaf.pem']
  return [mine, inFolder(files, (folder) => theirs(folder, all, /OK/))]
}

function listsOf(by: Entity, { serialBytes: serial }: Certificate): Crl[] {
  if (random.chance(6)) return []
  const other = { serial: Buffer.of(0x21) }
  const at = random.pick([NOW - DAY, NOW - 1000, NOW + DAY])
  const entry = random.pick([
    ...Array.from({ length: 12 }, () => other),
    { serial, at },
    { serial, at, extensions: [reasonCode(random.pick([0, 1, 6, 8, 10]))] },
    { ...other, extensions: [extension('1.2.3', Buffer.of(5, 0), random.chance(60))] },
    { serial, at, extensions: [certificateIssuer(by.certificate.subject.der)] },
  ])
  const scope = random.chance(35)
    ? [issuingDistributionPoint({ flags: [random.pick([1, 2, 4, 5])] })]
    : random.chance(10)
      ? [extension('1.2.3.4', Buffer.of(5, 0), random.chance(60))]
      : []
  const times = random.pick([
    ...Array.from({ length: 12 }, () => ({})),
    { thisUpdate: NOW - 3 * DAY, nextUpdate: NOW - DAY },
    { thisUpdate: NOW + DAY },
    { nextUpdate: null },
  ])
  const complete = issueCrl(by, { revoked: [entry], extensions: [crlNumber(5), ...scope], ...times })
  if (random.chance(70)) return [complete]
  const late = random.pick([other, { serial, at: NOW - 500 }, { serial, at: NOW - 500, extensions: [reasonCode(8)] }])
  const numbers = random.pick([
    [5, 6],
    [4, 7],
    [6, 7],
    [3, 4],
  ])
  const delta = issueCrl(by, {
    revoked: [late],
    extensions: [crlNumber(numbers[1] as number), deltaCrl(numbers[0] as number), ...scope],
  })
  return [complete, delta]
}

const authorities = testAuthorities()
const person = authorities.person({ algorithm: 'rsa2048' })
const trust = trustOf(authorities)
const chain = {
  'root.pem': certificatePem(authorities.anchors[0] ?? Buffer.alloc(0)),
  'all.pem': [...authorities.anchors, ...authorities.intermediates].map(certificatePem).join(''),
  'others.pem': authorities.intermediates.map(certificatePem).join(''),
}

const someOf = (der: Uint8Array): Buffer => (random.chance(10) ? Buffer.from(der) : mutateDer([der], random))

function cms(): readonly [Verdict, Verdict] {
  const signed = someOf(person.signCms(TEXT))
  const args = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', 'signed', '-content', 'data', ...AT]
  const all = [...args, '-purpose', 'any', '-CAfile', 'all.pem', '-cades', '-out', 'out']
  const files = { ...chain, signed, data: TEXT }
  const mine = ours(() => {
    const { signer, certificates: candidates, digests } = readCms(signed)
    buildPath(signer, { trust, candidates, time: NOW })
    if (!digests.every(({ value }) => Buffer.from(value).equals(digestOfText)))
      throw new DerError('digest of other data')
  })
  return [mine, inFolder(files, (folder) => theirs(folder, all, /successful/))]
}
const digestOfText = Buffer.from(readCms(person.signCms(TEXT)).digests[0]?.value ?? [])

function stamp(): readonly [Verdict, Verdict] {
  const token = someOf(authorities.tsa.stamp(TEXT))
  const args = ['ts', '-verify', '-token_in', '-in', 'token', '-data', 'data', ...AT]
  const all = [...args, '-CAfile', 'root.pem', '-untrusted', 'others.pem']
  const files = { ...chain, token, data: TEXT }
  const mine = ours(() => verifyTimeStamp(token, TEXT, { trust, now: NOW }))
  return [mine, inFolder(files, (folder) => theirs(folder, all, /Verification: OK/))]
}

function answer(): readonly [Verdict, Verdict] {
  const basic = authorities.ocsp.status(person.certificate, person.issuer)
  const response = someOf(ocspResponse(basic))
  const [certificate, issuer] = [Certificate.parse(person.certificate), Certificate.parse(person.issuer)]
  const mine = ours(() => verifyOcsp(response, { certificate, issuer, trust, time: NOW, now: NOW }))
  const files = { ...chain, response, 'cert.pem': person.certificatePem, 'issuer.pem': certificatePem(person.issuer) }
  const args = [
    'ocsp',
    '-respin',
    'response',
    '-sha256',
    '-issuer',
    'issuer.pem',
    '-cert',
    'cert.pem',
    '-no_nonce',
    ...AT,
  ]
  // By the system's clock our answers are old: that alone is not compared.
  const all = [...args, '-CAfile', 'root.pem', '-verify_other', 'others.pem', '-validity_period', '999999999']
  return [mine, inFolder(files, (folder) => theirs(folder, all, /cert\.pem: good[\s\S]*Response verify OK/))]
}

console.log(`seed ${seed}`)
compare('paths with CRLs', pathWithCrls)
compare('CMS', cms)
compare('time stamps', stamp)
compare('OCSP answers', answer)
