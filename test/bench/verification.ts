import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import * as asn1js from 'asn1js'
import * as pkijs from 'pkijs'
import { readCms } from '../../core/dist/signatures/cms/read-cms.js'
import { readSignedData } from '../../core/dist/signatures/cms/signed-data.js'
import { readBasicOcspResponse } from '../../core/dist/signatures/status/basic-ocsp-response.js'
import { verifySignature } from '../../core/dist/signatures/verify-signature.js'
import type { Certificate } from '../../core/dist/signatures/x509/certificate.js'
import { NOW, testAuthorities } from '../support/pki/authorities.js'
import { trustOf } from '../support/pki/trust.js'

const TEXT = Buffer.from('a contract')
const BATCH = 500
const BATCHES = 8

type Check = readonly [data: Uint8Array, key: KeyObject, value: Uint8Array]

/** Full verification of CMS with evidence inside, each of another signer, against the bare verifications in it and against pkijs. */
export async function run(): Promise<void> {
  for (const algorithm of ['rsa2048', 'p256'] as const) await compare(algorithm)
}

async function compare(algorithm: 'rsa2048' | 'p256'): Promise<void> {
  const authorities = testAuthorities()
  const trust = trustOf(authorities)
  const { key } = authorities.employee({ algorithm })
  const sign = () => authorities.employee({ key }).signCms(TEXT, { timeStamp: true, ocsp: true })
  const full = (der: Uint8Array) => {
    const read = readCms(der)
    const evidence = { timeStamp: read.timeStamp?.token ?? TEXT, ocsp: read.ocsp ?? TEXT }
    return verifySignature(read, evidence, { trust, now: NOW })
  }
  const floors: number[] = []
  const ours: number[] = []
  let last: Uint8Array = TEXT
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const signatures = Array.from({ length: BATCH }, sign)
    const checks = unavoidable(signatures[0] as Uint8Array, full)
    floors.push(cost(() => checks.forEach(([data, one, value]) => void verify('sha256', data, one, value)), BATCH))
    ours.push(cost((index) => void full(signatures[index] as Uint8Array), BATCH))
    last = signatures[0] as Uint8Array
  }
  const [floor, own] = [Math.min(...floors), Math.min(...ours)]
  const other = await pkijsCost(last)
  console.log(
    `${algorithm}, ${last.length} octets: ${own.toFixed(0)} us of CPU, ${(own / floor).toFixed(2)} times its 4 bare verifications; ` +
      `pkijs, parsing and the signature value alone: ${(other / own).toFixed(0)} times ours`,
  )
}

/** Microseconds of processor time for one call. */
function cost(work: (index: number) => void, calls: number): number {
  const start = process.cpuUsage()
  for (let index = 0; index < calls; index += 1) work(index)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / calls
}

/** The signature, its certificate, the time stamp and the OCSP answer; certificates of authorities are judged once. */
function unavoidable(der: Uint8Array, full: (der: Uint8Array) => ReturnType<typeof verifySignature>): Check[] {
  const { path, timeStamp, status } = full(der)
  if (status === undefined) throw new TypeError('no OCSP answer')
  const [signer, issuer] = path.certificates as [Certificate, Certificate]
  const value = (bytes: Uint8Array) => {
    const [info] = readSignedData(bytes).signerInfos
    return [info?.signedAttributes?.signedBytes ?? TEXT, info?.signature ?? TEXT] as const
  }
  const answer = readBasicOcspResponse(status.response)
  const [signed, signature] = value(der)
  const [stamped, stamp] = value(timeStamp.token)
  return [
    [signed, importKey(signer), signature],
    [signer.tbs, importKey(issuer), signer.signature],
    [stamped, importKey(timeStamp.signer), stamp],
    [answer.tbs, importKey(status.responder), answer.signature],
  ]
}

const importKey = ({ spki }: Certificate): KeyObject =>
  createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })

async function pkijsCost(der: Uint8Array): Promise<number> {
  const calls = 50
  const once = async () => {
    const { result } = asn1js.fromBER(new Uint8Array(der).buffer)
    const signedData = new pkijs.SignedData({ schema: new pkijs.ContentInfo({ schema: result }).content })
    await signedData.verify({ signer: 0, data: new Uint8Array(TEXT).buffer, checkChain: false })
  }
  for (let index = 0; index < calls; index += 1) await once()
  const start = process.cpuUsage()
  for (let index = 0; index < calls; index += 1) await once()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / calls
}
