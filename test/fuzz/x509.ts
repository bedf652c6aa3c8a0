import { readdirSync } from 'node:fs'
import { DerError } from '#verifier/der/reader.js'
import { RegistryError } from '#verifier/error.js'
import { buildPath } from '#verifier/path/build-path.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { Crl } from '#verifier/x509/crl.js'
import { generalNamesText } from '#verifier/x509/general-name.js'
import { readIdentity } from '#verifier/x509/identity.js'
import { conformanceDir, conformanceFile } from '../support/conformance.js'
import { randomDerMutant, seeded } from '../support/random-der-mutant.js'

/**
 * Structure-aware fuzzing of certificates, CRLs and paths, from the PKITS samples. Stops at the first exception that is not
 * ours, and prints the slowest input otherwise. Usage: node dist-test/fuzz/x509.js [seconds] [seed]
 */
const seconds = Number(process.argv[2] ?? 60)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const random = seeded(seed)
const time = Date.UTC(2011, 3, 15)

const samplesOf = (folder: string): Buffer[] =>
  readdirSync(`${conformanceDir}/pkits/${folder}`).map((name) => conformanceFile(`pkits/${folder}/${name}`))

const certificates = samplesOf('certs')
const crls = samplesOf('crls')
const root = Certificate.parse(conformanceFile('pkits/certs/TrustAnchorRootCertificate.crt'))
const readable = certificates.flatMap((der) => guarded(() => Certificate.parse(der)) ?? [])
const intermediates = readable.slice(0, 50)
const candidates = readable.slice(50, 200)

/** Undefined for what is refused with an error of ours. */
function guarded<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof DerError || error instanceof RegistryError) return undefined
    throw error
  }
}

const any = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

function useCertificate(der: Uint8Array): void {
  const certificate = guarded(() => Certificate.parse(der))
  if (certificate === undefined) return
  certificate.subject.toString()
  void certificate.subject.rdns
  guarded(() => certificate.extensions.readAll())
  guarded(() => generalNamesText(certificate.extensions.subjectAltName ?? []))
  guarded(() => readIdentity(certificate))
  guarded(() => buildPath(certificate, { trust: { anchors: [root], intermediates }, time, candidates }))
  const trust = { anchors: [root, certificate], intermediates: [] }
  guarded(() => buildPath(any(readable), { trust, time, candidates: [...candidates, certificate] }))
}

function useCrl(der: Uint8Array): void {
  const crl = guarded(() => Crl.parse(der))
  if (crl === undefined) return
  guarded(() => crl.entries.find(Buffer.of(1), crl.issuer))
  const trust = { anchors: [root], intermediates, crls: [crl] }
  guarded(() => buildPath(any(readable), { trust, time, candidates, crlUse: 'required' }))
}

let runs = 0
let slowest = 0
for (const end = Date.now() + seconds * 1000; Date.now() < end; runs += 1) {
  const [samples, use] = random() < 0.3 ? [crls, useCrl] : [certificates, useCertificate]
  const mutant = randomDerMutant(any(samples), samples, random)
  const started = performance.now()
  try {
    use(mutant)
  } catch (error) {
    console.error(`seed ${seed}, run ${runs}: ${Buffer.from(mutant).toString('hex')}`)
    throw error
  }
  slowest = Math.max(slowest, performance.now() - started)
}
console.log(`${runs} mutants from seed ${seed}: nothing but errors of ours; the slowest took ${slowest.toFixed(0)} ms`)
