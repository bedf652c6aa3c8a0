import { Certificate, createRegistry, StatusSource, systemClock, TrustStore } from '@signed-registry/core'

import { DevelopmentAuthorities, devAuthorities } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { CollectEvidence } from '#core/signatures/collect-evidence.js'
import { readCms } from '#verifier/cms/read-cms.js'
import { NOW, testAuthorities, testClock } from '../../support/pki/authorities.js'

describe('dev-authorities: plugin', () => {
  it('provides a registry with trust, time stamps and certificate status at the time of its clock', async () => {
    const registry = await createRegistry({
      database: 'sqlite::memory:',
      plugins: [devAuthorities({})],
      clock: testClock(),
    })
    const authorities = registry.get(DevelopmentAuthorities)
    const collect = registry.get(CollectEvidence)
    const signed = readCms(authorities.employee({ algorithm: 'rsa2048' }).signCms(Buffer.from('document')))
    const { timeStamp, path, status } = await collect.collect(signed)
    expect(timeStamp.genTime).equal(NOW)
    expect(status?.thisUpdate).equal(NOW)
    expect(path.certificates).length(3)
    expect(registry.get(TrustStore).state()).deep.equal({ loadedAt: NOW, anchors: 1 })
    await registry.close()
  })

  it('takes authorities that exist already', async () => {
    const authorities = testAuthorities()
    const plugins = [devAuthorities({ authorities })]
    const registry = await createRegistry({ database: 'sqlite::memory:', plugins, clock: systemClock })
    expect(registry.get(DevelopmentAuthorities)).equal(authorities)
    const person = Certificate.parse(authorities.person().certificate)
    expect(registry.get(StatusSource).urlFor(person)).equal(authorities.ocspUrl)
    await registry.close()
  })

  it('refuses wrong options when it is called', () => {
    expect(() => devAuthorities({ folder: '' })).throw(TypeError, 'dev-authorities: /folder')
    expect(() => devAuthorities(JSON.parse('{"directory":"x"}'))).throw(TypeError, 'dev-authorities')
    expect(() => devAuthorities(JSON.parse('{"authorities":{}}'))).throw(TypeError, 'dev-authorities: /authorities')
  })
})
