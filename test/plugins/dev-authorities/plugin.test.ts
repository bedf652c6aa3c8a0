import { createRegistry, type Registry, StatusSource, TimestampSource, TrustStore } from '@signed-registry/core'
import { DevAuthorities, devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'

describe('the dev-authorities plugin', () => {
  const authorities = DevAuthorities.create()
  let registry: Registry
  before(async () => {
    registry = await createRegistry({ database: await openSqlite(), plugins: [devAuthorities({ authorities })] })
  })
  after(() => registry.close())

  it('trusts the root of the authorities, and gives the same trust every time', () => {
    const store = registry.get(TrustStore)
    expect(store.trust().anchors.map(({ der }) => Buffer.from(der))).to.deep.equal(authorities.anchors)
    expect(store.trust()).to.equal(store.trust())
    expect(store.state()).to.include({ anchors: 1 })
  })

  it('provides a time-stamping authority and a responder for every certificate', () => {
    expect(registry.get(TimestampSource).url).to.be.a('string')
    const [anchor] = registry.get(TrustStore).trust().anchors
    expect(anchor && registry.get(StatusSource).urlFor(anchor)).to.equal(authorities.ocspUrl)
  })

  it('refuses options that it does not have', () => {
    expect(() => devAuthorities({ authorities: { anchors: [] } as never })).to.throw(TypeError, /dev-authorities/)
    expect(() => devAuthorities({ folder: '' })).to.throw(TypeError, /folder/)
  })
})
