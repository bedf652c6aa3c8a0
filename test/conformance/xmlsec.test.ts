import { createPublicKey, X509Certificate } from 'node:crypto'
import { expect } from 'chai'
import { RegistryError } from '#verifier/error.js'
import { buildPath } from '#verifier/path/build-path.js'
import { Certificate } from '#verifier/x509/certificate.js'
import { verifyXmlDocument } from '#verifier/xml/verify-xml-document.js'
import { conformanceFile, conformanceJson, requireConformance } from '../support/conformance.js'
import { Scoreboard } from '../support/scoreboard.js'
import { bareKey } from '../support/xml/key-value.js'
import { verifyWithKey } from '../support/xml/verify-with-key.js'

interface Row {
  readonly file: string
  readonly expected: 'valid' | 'invalid'
  readonly note: string
  readonly xmlsecParams: string
  readonly inProfile: 'core' | 'legacy' | 'no'
}

/** When the vectors were made; the rows that judge another moment say so. */
const MADE = Date.UTC(2026, 3, 1)

const parameter = (row: Row, name: string): string | undefined =>
  new RegExp(`--${name} (\\S+)`).exec(row.xmlsecParams)?.[1]

const certificateFile = (row: Row, path: string): Certificate => {
  const folders = [row.file.slice(0, row.file.indexOf('/')), '.']
  for (const folder of folders) {
    try {
      return Certificate.parse(new X509Certificate(conformanceFile(`xmlsec/${folder}/${path}`)).raw)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
  throw new TypeError(`${row.file}: no ${path}`)
}

/** Judges a row as its parameters say: which keys may be used, and what is trusted when. */
function judge(row: Row, xml: string): boolean {
  const enabled = new Set((parameter(row, 'enabled-key-data') ?? '').split(','))
  const given = parameter(row, 'pubkey-cert-der')
  if (given !== undefined) return verifyWithKey(xml, certificateFile(row, given).spki)
  const key = bareKey(xml, enabled)
  if (key !== undefined) return verifyWithKey(xml, key)
  const ecdsaInDer = row.xmlsecParams.includes('--enable-asn1-signatures-hack')
  const { signature } = verifyXmlDocument(xml, { ecdsaInDer, covers: 'element' })
  if (row.xmlsecParams.includes('--insecure')) return true
  const trusted = parameter(row, 'trusted-pem')
  const anchors = trusted === undefined ? [] : [certificateFile(row, trusted)]
  const time = /^(\d{4}-\d\d-\d\d)/.exec(parameter(row, 'verification-gmt-time') ?? '')?.[1]
  buildPath(signature.signer, {
    trust: { anchors, intermediates: [] },
    candidates: signature.certificates,
    time: time === undefined ? MADE : Date.parse(time),
  })
  return true
}

describe('conformance: xmlsec', () => {
  let rows: readonly Row[]

  before(function () {
    requireConformance(this, 'xmlsec/index.json')
    rows = conformanceJson<{ cases: Row[] }>('xmlsec/index.json').cases
  })

  const text = (row: Row): string => conformanceFile(`xmlsec/${row.file}`).toString('utf8')
  const name = (row: Row): string => `${row.file} ${row.xmlsecParams}`
  const ours = (profile: Row['inProfile']): Row[] => rows.filter(({ inProfile }) => inProfile === profile)

  it('gives the expected result for every row of the core profile', () => {
    const score = new Scoreboard('xmlsec, core')
    for (const row of ours('core'))
      score.judge(name(row), row.expected === 'valid' ? 'accept' : 'reject', () => judge(row, text(row)))
    score.print()
    score.expectAllRight(49)
  })

  it('refuses every legacy row by policy, with its own error', () => {
    const score = new Scoreboard('xmlsec, legacy')
    const codes = new Map<string, number>()
    for (const row of ours('legacy')) {
      score.judge(name(row), 'reject', () => {
        try {
          return judge(row, text(row))
        } catch (error) {
          if (error instanceof RegistryError) codes.set(error.code, (codes.get(error.code) ?? 0) + 1)
          throw error
        }
      })
    }
    score.print()
    score.expectAllRight(24)
    expect(Object.fromEntries(codes)).to.deep.equal({ algorithmNotTrusted: 23, signatureAlgorithmNotSupported: 1 })
  })

  it('answers every row outside the profile cleanly, and accepts none that is invalid', () => {
    const score = new Scoreboard('xmlsec, others')
    for (const row of ours('no'))
      score.judge(name(row), row.expected === 'valid' ? 'either' : 'reject', () => judge(row, text(row)))
    score.print()
    score.expectAllRight(163)
  })

  for (const name of ['ed25519', 'ed448'])
    it(`verifies its document signed with ${name}, whose key is in a file`, () => {
      const key = createPublicKey(conformanceFile(`xmlsec/keys/eddsa/eddsa-${name}-pubkey.pem`))
      const xml = (method: string) =>
        conformanceFile(`xmlsec/aleksey-xmldsig-01/enveloped-sha256-eddsa-${method}.xml`).toString('utf8')
      const spki = key.export({ type: 'spki', format: 'der' })
      expect(verifyWithKey(xml(name), spki)).to.equal(true)
      expect(() => verifyWithKey(xml(`${name}ph`), spki)).to.throw(RegistryError)
    })
})
