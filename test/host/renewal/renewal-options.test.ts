import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { readConfig } from '#host/config/config.js'
import { renewalOptions } from '#host/renewal/renewal-options.js'
import { presentAuthorities } from '../../support/pki/authorities.js'

describe('the renewal of a host', () => {
  it('is on, by 90 days, SHA-512 and the authority of signatures', () => {
    expect(renewalOptions(readConfig({}))).to.deep.equal({
      leadDays: 90,
      digests: ['2.16.840.1.101.3.4.2.3', '2.16.840.1.101.3.4.2.10'],
    })
  })

  it('is off where the configuration says so', () => {
    expect(renewalOptions(readConfig({ RENEWAL: 'off' }))).to.equal('off')
  })

  it('has the days, digests and authority that are configured', () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-renewal-options-'))
    const anchors = join(folder, 'anchors.pem')
    const certificates = presentAuthorities().anchors.map((der) => pem('CERTIFICATE', der))
    writeFileSync(anchors, certificates.join(''))
    const given = renewalOptions(
      readConfig({
        ...{ TRUST_ANCHORS: anchors, TSP_URL: 'http://tsp.example/' },
        ...{ RENEWAL_TSP_URL: 'http://other.example/tsp', RENEWAL_DAYS: '7', RENEWAL_DIGESTS: 'sha3-512' },
      }),
    )
    rmSync(folder, { recursive: true })
    expect(given).to.deep.include({ leadDays: 7, digests: ['2.16.840.1.101.3.4.2.10'] })
    expect(given === 'off' ? undefined : given.timestamps?.url).to.equal('http://other.example/tsp')
  })
})
