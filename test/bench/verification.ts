import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { readCms } from '../../core/dist/signatures/cms/read-cms.js'
import { readSignedData } from '../../core/dist/signatures/cms/signed-data.js'
import type { Trust } from '../../core/dist/signatures/path/trust.js'
import { readBasicOcspResponse } from '../../core/dist/signatures/status/basic-ocsp-response.js'
import { type SignatureVerdict, verifySignature } from '../../core/dist/signatures/verify-signature.js'
import type { Certificate } from '../../core/dist/signatures/x509/certificate.js'
import { NOW, testAuthorities } from '../support/pki/authorities.js'
import { trustOf } from '../support/pki/trust.js'
import { interleave, median } from './interleave.js'
import { manyKeys } from './many-keys.js'
import { pkijsVerify } from './pkijs-verify.js'

const CALLS = 100
const WARM_UP = 24
const ROUNDS = 16
const SIGNATURES = CALLS * (1 + WARM_UP + ROUNDS)
const PKIJS_CALLS = 60

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
  const signatures = manyKeys(kind, SIGNATURES).map((key, index) => {
    const signer = authorities.employee({ key })
    const certificates = [signer.certificate, signer.issuer]
    return signer.signCms(Buffer.from(`contract ${index}`), { timeStamp: true, ocsp: true, certificates })
  })
  // Others than those measured, or a verifier would have met their signers before.
  const checks = signatures.splice(0, CALLS).map((der) => unavoidable(der, trust))
  const keys = checks.map(([first]) => first?.key.export({ format: 'jwk' }) ?? {})
  const rounds = interleave(
    {
      floor: (index) =>
        checks[index % CALLS]?.every(({ data, key, value }) => verify('sha256', data, key, value)) || fail(),
      keyImport: (index) => createPublicKey({ key: keys[index % CALLS] ?? {}, format: 'jwk' }),
      ours: (index) => judge(signatures[index] ?? fail(), trust),
      returning: (index) => judge(signatures[index] ?? fail(), trust),
    },
    { rounds: ROUNDS, calls: CALLS, warmUp: WARM_UP },
  )
  const of = (name: 'floor' | 'keyImport' | 'ours' | 'returning') => median(rounds.map((round) => round[name]))
  const ratio = (name: 'ours' | 'returning') => {
    const ratios = rounds.map((round) => round[name] / round.floor)
    return `${median(ratios).toFixed(2)} times the bare ones (at best ${Math.min(...ratios).toFixed(2)})`
  }
  const octets = signatures[0]?.length ?? 0
  console.log(`${kind}, CMS of ${octets} octets, processor time in us:`)
  console.log(
    `  4 bare verifications           ${of('floor').toFixed(0)} (import of the signer's key: ${of('keyImport').toFixed(0)})`,
  )
  console.log(`  full, a new signer             ${of('ours').toFixed(0)}, ${ratio('ours')}`)
  console.log(`  full, the same signature again ${of('returning').toFixed(0)}, ${ratio('returning')}`)
  const theirs = await pkijsCost(signatures)
  console.log(
    `  pkijs, parsed and value alone  ${theirs.toFixed(0)}, ${(theirs / of('ours')).toFixed(0)} times ours for a new signer`,
  )
}

function judge(der: Uint8Array, trust: Trust): SignatureVerdict {
  const read = readCms(der)
  const { timeStamp, ocsp } = read
  if (timeStamp === undefined || ocsp === undefined) return fail()
  return verifySignature(read, { timeStamp: timeStamp.token, ocsp }, { trust, now: NOW })
}

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
  return { data: info?.signedAttributes?.signedBytes ?? fail(), value: info?.signature ?? fail() }
}

const imported = new Map<string, KeyObject>()

/** Authorities' keys are the same object every time, as a verifier would keep them. */
function keyOf({ spki }: Certificate): KeyObject {
  const name = Buffer.from(spki).toString('base64')
  const key = imported.get(name) ?? createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  imported.set(name, key)
  return key
}

async function pkijsCost(signatures: readonly Uint8Array[]): Promise<number> {
  const costs: number[] = []
  for (let index = 0; index < PKIJS_CALLS; index += 1) {
    const start = process.cpuUsage()
    await pkijsVerify(signatures[index] ?? fail(), Buffer.from(`contract ${CALLS + index}`))
    const { user, system } = process.cpuUsage(start)
    costs.push(user + system)
  }
  return median(costs)
}

function fail(): never {
  throw new Error('A signature of the benchmark is not good')
}
