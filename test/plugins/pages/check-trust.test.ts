import { GetStatementKey } from '@signed-registry/core/reports'
import { Certificate, Crl, type Trust } from '@signed-registry/verifier'
import { expect } from 'chai'
import { CheckTrust } from '#pages/check-trust.js'
import { registryWithoutAuthorities } from '../../support/core-registry.js'
import { openSqlite } from '../../support/databases.js'
import type { TestHost } from '../../support/host.js'
import { startPagesHost } from '../../support/pages-host.js'
import { testAuthorities } from '../../support/pki/authorities.js'

const base64 = (all: readonly Uint8Array[]) => all.map((der) => Buffer.from(der).toString('base64'))

describe('whom a registry trusts, for what is judged in browsers', () => {
  let host: TestHost
  before(async () => {
    host = await startPagesHost()
  })
  after(() => host.close())

  it('is a file: anchors, issuing authorities, and the key of its statements', async () => {
    const answer = await fetch(`${host.url}/check-trust.json`)
    expect(answer.headers.get('content-type')).to.equal('application/json')
    expect(answer.headers.get('cache-control')).to.equal('public, no-cache')
    const { anchors, intermediates } = host.authorities
    expect(await answer.json()).to.deep.include({
      ...{ anchors: base64(anchors), intermediates: base64(intermediates), responders: [], withoutCrls: false },
      key: host.registry.get(GetStatementKey).execute().verifierKey,
    })
    const known = { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } }
    const again = await fetch(`${host.url}/check-trust.json`, known)
    expect([again.status, await again.text()]).to.deep.equal([304, ''])
  })

  it('has what is trusted now, revocation lists and responders too, unless the lists are too large', async () => {
    const authorities = testAuthorities()
    const [anchor, other] = [...authorities.anchors, ...authorities.intermediates].map((der) => Certificate.parse(der))
    if (anchor === undefined || other === undefined) throw new Error('There are no two certificates')
    const crl = Crl.parse(authorities.crl('rsa'))
    let trust: Trust = { anchors: [anchor], intermediates: [] }
    const registry = await registryWithoutAuthorities(await openSqlite())
    const trustStore = { trust: () => trust, state: () => ({ loadedAt: 0, anchors: 1 }) }
    const made = new CheckTrust({ trustStore, getStatementKey: registry.get(GetStatementKey) })
    const said = () => JSON.parse(`${made.file().plain}`)
    expect(said()).to.deep.equal({
      anchors: base64([anchor.der]),
      ...{ intermediates: [], responders: [], crls: [], withoutCrls: false },
    })
    expect(made.file()).to.equal(made.file())
    trust = { anchors: [other], intermediates: [anchor], responders: [other], crls: [crl] }
    const all = { anchors: base64([other.der]), intermediates: base64([anchor.der]), responders: base64([other.der]) }
    expect(said()).to.deep.equal({ ...all, crls: base64([crl.der]), withoutCrls: false })
    const many = Array.from({ length: Math.ceil((1024 * 1024 + 1) / crl.der.length) }, () => crl)
    trust = { ...trust, crls: many }
    expect(said()).to.deep.equal({ ...all, crls: [], withoutCrls: true })
    trust = { ...trust, crls: many.slice(1) }
    expect(said()).to.include({ withoutCrls: false })
    await registry.close()
  })
})
