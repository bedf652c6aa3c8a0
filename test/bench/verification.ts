import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Subject } from '@signed-registry/dev-authorities'
import { readCms } from '#verifier/cms/read-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import type { Trust } from '#verifier/path/trust.js'
import { readBasicOcspResponse } from '#verifier/status/basic-ocsp-response.js'
import type { ProvedSignature } from '#verifier/verification.js'
import { verifySignature } from '#verifier/verify-signature.js'
import type { Certificate } from '#verifier/x509/certificate.js'
import { NOW, testAuthorities } from '../support/pki/authorities.js'
import { trustOf } from '../support/pki/trust.js'
import { interleave, median } from './interleave.js'
import { manyKeys } from './many-keys.js'
import { pkijsVerify } from './pkijs-verify.js'
import { printRow } from './row.js'

const CALLS = 60
const WARM_UP = 20
const ROUNDS = 16
const SIGNATURES = CALLS * (WARM_UP + ROUNDS)
const TURNS = 6
const PKIJS_CALLS = 10
const PKIJS_WARM_UP = 100

/** A bare verification that nothing spares a verifier. */
interface Check {
  readonly data: Uint8Array
  readonly key: KeyObject
  readonly value: Uint8Array
}

/**
 * Full verification of CMS with evidence inside, each by a signer and over a document never seen before, against the
 * bare verifications of the same bytes, and against pkijs.
 */
export async function run(): Promise<void> {
  for (const kind of ['rsa2048', 'p256'] as const) await compare(kind)
}

async function compare(kind: 'rsa2048' | 'p256'): Promise<void> {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const signers = (count: number) => manyKeys(kind, count).map((key) => authorities.employee({ key }))
  const sign = (signer: Subject, text: string) => {
    const certificates = [signer.certificate, signer.issuer]
    return signer.signCms(Buffer.from(text), { timeStamp: true, ocsp: true, certificates })
  }
  const people = signers(SIGNATURES + TURNS * CALLS)
  const signatures = people.map((signer, index) => sign(signer, `contract ${index}`))
  const second = people.slice(0, SIGNATURES).map((signer, index) => sign(signer, `amendment ${index}`))
  // Of other people, or a verifier would have met the signers; every key is imported, and used for the first time.
  const checks = signers(SIGNATURES).map((signer, index) => unavoidable(sign(signer, `floor ${index}`), trust))
  const floorOf = (of: readonly Check[] = []) =>
    of.every(({ data, key, value }) => verify('sha256', data, key, value)) || fail()
  const keys = checks.slice(0, CALLS).map(([first]) => first?.key.export({ format: 'jwk' }) ?? {})
  const rounds = interleave(
    {
      floor: (index) => floorOf(checks[index]),
      // Of a signer who comes back the certificate is known: one verification fewer, by a key that was used before.
      floorAgain: (index) => floorOf(checks[index]?.filter((_, at) => at !== SIGNED_BY_ISSUER)),
      keyImport: (index) => createPublicKey({ key: keys[index % CALLS] ?? {}, format: 'jwk' }),
      ours: (index) => judge(signatures[index] ?? fail(), trust),
      returning: (index) => judge(second[index] ?? fail(), trust),
    },
    { rounds: ROUNDS, calls: CALLS, warmUp: WARM_UP },
  )
  const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name])).toFixed(0)
  console.log(`${kind}, CMS of ${signatures[0]?.length} octets, import of a key ${of('keyImport')} us:`)
  printRow({
    what: 'a signer never seen before',
    floor: 'the 4 bare verifications, keys imported',
    ratios: rounds.map(({ ours, floor }) => ours / floor),
    aim: kind === 'p256' ? '<= 1.7' : '<= 2',
    figures: `${of('ours')} against ${of('floor')} us`,
  })
  printRow({
    what: 'a signer who comes back with another signature',
    floor: 'the 3 bare verifications',
    ratios: rounds.map(({ returning, floorAgain }) => returning / floorAgain),
    aim: '<= 2',
    figures: `${of('returning')} against ${of('floorAgain')} us`,
  })
  const turns = await turnsWithPkijs(signatures, trust)
  const cost = (whose: 'ours' | 'pkijs') => median(turns.map((turn) => turn[whose])).toFixed(0)
  printRow({
    what: 'pkijs, parsing and the three signature values alone',
    floor: 'ours for a signer never seen before',
    ratios: turns.map(({ ours, pkijs }) => pkijs / ours),
    aim: kind === 'p256' ? '>= 45' : '>= 60',
    figures: `${cost('pkijs')} against ${cost('ours')} us`,
  })
}

function judge(der: Uint8Array, trust: Trust): ProvedSignature {
  const read = readCms(der)
  const { timeStamp, ocsp } = read
  if (timeStamp === undefined || ocsp === undefined) return fail()
  return verifySignature(read, { timeStamp: timeStamp.token, ocsp }, { trust, now: NOW })
}

/** Where the signer's certificate stands among them. */
const SIGNED_BY_ISSUER = 1

/** The signature, its certificate, the time stamp and the OCSP answer; certificates of authorities are judged once. */
function unavoidable(der: Uint8Array, trust: Trust): Check[] {
  const { path, timeStamp, status } = judge(der, trust)
  const [signer, issuer] = path.certificates
  if (signer === undefined || issuer === undefined || status === undefined) return fail()
  const answer = readBasicOcspResponse(status.response)
  return [
    { key: keyOf(signer), ...signedIn(der) },
    { key: keyOf(issuer), data: signer.tbs, value: signer.signature },
    { key: keyOf(timeStamp.signer), ...signedIn(timeStamp.token) },
    { key: keyOf(status.responder), data: answer.tbs, value: answer.signature },
  ]
}

function signedIn(der: Uint8Array): { data: Uint8Array; value: Uint8Array } {
  const [info] = readSignedData(der).signerInfos
  return { data: info?.signedAttributes?.received ?? fail(), value: info?.signature ?? fail() }
}

const imported = new Map<string, KeyObject>()

/** Authorities' keys are the same object every time, as a verifier would keep them. */
function keyOf({ spki }: Certificate): KeyObject {
  const name = Buffer.from(spki).toString('base64')
  const key = imported.get(name) ?? createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  imported.set(name, key)
  return key
}

/** Microseconds of one call of each once all is warm, in turns; ours judges signers that it has not met so far. */
async function turnsWithPkijs(signatures: readonly Uint8Array[], trust: Trust) {
  const theirs = async (index: number) => pkijsVerify(signatures[index] ?? fail(), Buffer.from(`contract ${index}`))
  for (let index = 0; index < PKIJS_WARM_UP; index += 1) await theirs(index)
  const turns: { ours: number; pkijs: number }[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const first = SIGNATURES + turn * CALLS
    const ours = await costOfOne(CALLS, async (at) => judge(signatures[first + at] ?? fail(), trust))
    turns.push({ ours, pkijs: await costOfOne(PKIJS_CALLS, (at) => theirs(turn * PKIJS_CALLS + at)) })
  }
  return turns
}

async function costOfOne(calls: number, work: (index: number) => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  for (let index = 0; index < calls; index += 1) await work(index)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / calls
}

function fail(): never {
  throw new Error('A signature of the benchmark is not good')
}
