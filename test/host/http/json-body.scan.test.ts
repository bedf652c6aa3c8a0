import { ChangeDocumentSettings, RegisterDocument } from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { RegisterPackage } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { jsonFault } from '#host/http/json-body.js'
import { openSqlite } from '../../support/databases.js'
import { startTestHost, type TestHost } from '../../support/host.js'
import { postJson } from '../../support/http.js'
import { routes } from '../../support/routes.js'

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join()

/** Hundreds of thousands of small values, all unterminated, so that parsing first would give another error. */
const ATTACKS: Readonly<Record<string, string>> = {
  '700,000 unknown keys': `{${times(700_000, (at) => `"k${at}":1`)}`,
  'three million empty objects': `{"signature":[${'{},'.repeat(3_000_000)}`,
  'a million lists': `{"settings":{"documentAccess":[${'[],'.repeat(1_000_000)}`,
  'half a million rules': `{"documentsSettings":{"documentAccess":[${'{"iin":""},'.repeat(500_000)}`,
  'numbers without end': `{"signature":${'1'.repeat(9_000_000)}`,
  'nothing but space': `{"signature":${' '.repeat(9_000_000)}`,
}

describe('JSON of many small things', () => {
  let host: TestHost
  before(async () => {
    // Without the pace of large JSON, which would make the tests wait.
    host = await startTestHost(openSqlite, { pace: { grace: 30_000, bytesPerSecond: 16 * 1024 } })
  })
  after(() => host.close())

  const refusalOf = async (path: string, body: string) => {
    const { status, json } = await postJson(`${host.url}/api${path.replace(/:\w+/g, 'A'.repeat(16))}`, body)
    return `${status} ${json.code}`
  }
  for (const [name, body] of Object.entries(ATTACKS)) {
    it(`is refused before it is parsed: ${name}`, async () => {
      expect(await refusalOf('', body)).to.equal('413 tooManyJsonValues')
    })
  }

  it('is refused wherever it is sent', async () => {
    const body = ATTACKS['700,000 unknown keys'] ?? ''
    for (const { method, path, operation } of routes) {
      if (method !== 'POST' || operation.upload) continue
      expect(await refusalOf(path, body), path).to.be.oneOf([
        '413 tooManyJsonValues',
        '413 bodyTooLarge',
        '404 qrNotActive',
        '404 logNotWitnessed',
      ])
    }
  })

  it('is counted with what is ignored, and texts are not counted', async () => {
    const many = { signature: 'A'.repeat(5_000_000), ignored: new Array(2000).fill(0) }
    expect((await postJson(`${host.url}/api/exported`, many)).json).to.deep.include({
      code: 'tooManyJsonValues',
      details: { limit: 1000 },
    })
    const few = { ...many, ignored: new Array(900).fill(0) }
    expect((await postJson(`${host.url}/api/exported`, few)).json.code).to.equal('signatureNotParsed')
  })

  it('is lower where no signature can be', async () => {
    const large = { email: 'a@b.kz', ignored: 'a'.repeat(70_000) }
    const refused = await postJson(`${host.url}/api/settings`, large)
    expect([refused.status, refused.json.code]).to.deep.equal([413, 'bodyTooLarge'])
  })

  it('does not keep out the largest requests that the limits allow', () => {
    const people = (count: number) =>
      Array.from({ length: count }, () => ({ iin: 'IIN900101300010', bin: 'BIN200140000019' }))
    const settings = {
      documentAccess: people(1000),
      signersRequirements: people(1000).map((one) => ({
        ...one,
        ca: 'pki.gov.kz',
        authorities: ['1.2.398.3.3.4.1.2'],
      })),
    }
    const control = {
      authorities: new Array(1000).fill('1.2'),
      tlsCertificatesIndices: new Array(1000).fill(0),
      iins: new Array(1000).fill('IIN900101300010'),
    }
    const largest = [
      [RegisterDocument, { signature: '', settings }],
      [ChangeDocumentSettings, settings],
      [
        RegisterPackage,
        {
          settings: { packageAccess: people(1000), packageSettings: people(1000) },
          documentsSettings: settings,
          documents: new Array(50).fill({ title: '\u0416'.repeat(255), description: '\u0416'.repeat(2000) }),
        },
      ],
      [SaveOrganizationSettings, Object.fromEntries('abcdefghi'.split('').map((right) => [right, control]))],
    ] as const
    for (const [{ operation }, request] of largest) {
      const json = Buffer.from(JSON.stringify(request, null, 2))
      expect(jsonFault(json, operation.json.values), operation.id).to.equal(undefined)
      expect(json.length, operation.id).to.be.below(operation.json.bytes)
    }
  })
})
