import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import {
  type GostCurve,
  gost34311,
  gostCurves,
  type Hasher,
  parseGostPublicKey,
  streebog512,
  verifyGost3410,
} from '#verifier/algorithms/gost/index.js'
import { children, contents, encoded, readDer } from '#verifier/der/reader.js'
import { conformanceDir, conformanceFile, requireConformance } from '../../../support/conformance.js'

const folder = 'kz/production-roots'

/** DER of the OIDs of signatures: GOST R 34.10-2015 (512) with GOST R 34.11-2015, GOST 34.310-2004 with GOST 34.311-95. */
const algorithms: Record<string, { curve: GostCurve; hasher: () => Hasher }> = {
  '060a2a830e030a0101020302': { curve: gostCurves.tc26Gost512A, hasher: streebog512 },
  '06092a830e030a01010102': { curve: gostCurves.cryptoProA, hasher: gost34311 },
}

interface IssuedCertificate {
  readonly name: string
  readonly issuer: string
  readonly subject: string
  readonly algorithm: string
  readonly tbs: Uint8Array
  readonly key: Uint8Array
  readonly signature: Uint8Array
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Only what a signature check needs; no validation. */
function readCertificate(name: string): IssuedCertificate {
  const file = conformanceFile(`${folder}/${name}`)
  const text = file.toString('latin1')
  const der = text.startsWith('-----') ? Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64') : file
  const [tbs, algorithm, value] = children(readDer(der))
  if (!tbs || !algorithm || !value) throw new Error(`${name} is no certificate`)
  const [, , , issuer, , subject, spki] = children(tbs)
  const [, bits] = spki ? children(spki) : []
  const [oid] = children(algorithm)
  if (!issuer || !subject || !bits || !oid) throw new Error(`${name} is no certificate`)
  return {
    name,
    issuer: hex(encoded(issuer)),
    subject: hex(encoded(subject)),
    algorithm: hex(encoded(oid)),
    tbs: encoded(tbs),
    key: contents(bits).subarray(1),
    signature: contents(value).subarray(1),
  }
}

/** Whether the certificate's signature is its issuer's. */
function isSignedBy(certificate: IssuedCertificate, issuer: IssuedCertificate): boolean {
  const { curve, hasher } = algorithms[certificate.algorithm] ?? expect.fail('not a GOST certificate')
  const key = parseGostPublicKey(curve, contents(readDer(issuer.key)))
  return verifyGost3410(curve, key, hasher().update(certificate.tbs).digest(), certificate.signature)
}

describe('national certificates', () => {
  before(function () {
    requireConformance(this, folder)
  })

  it('verify under their issuers, and with an octet changed do not', () => {
    const all = readdirSync(`${conformanceDir}/${folder}`).map(readCertificate)
    const gost = all.filter(({ algorithm }) => algorithm in algorithms)
    let checked = 0
    for (const certificate of gost) {
      const issuers = gost.filter(
        ({ subject, algorithm }) => subject === certificate.issuer && algorithm === certificate.algorithm,
      )
      if (issuers.length === 0) continue
      expect(issuers.some((issuer) => isSignedBy(certificate, issuer))).to.equal(true, certificate.name)
      const tbs = Buffer.from(certificate.tbs)
      tbs[40] = (tbs[40] as number) ^ 1
      expect(issuers.some((issuer) => isSignedBy({ ...certificate, tbs }, issuer))).to.equal(false, certificate.name)
      checked += 1
    }
    console.log(`      national certificates: ${checked} of ${gost.length} verified under an issuer at hand`)
    expect(checked).to.be.at.least(3)
  })
})
