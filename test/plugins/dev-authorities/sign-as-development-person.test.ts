import { createHash } from 'node:crypto'
import { anonymous } from '@signed-registry/core'

import { FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { ListDevelopmentPeople, SignAsDevelopmentPerson } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { openSqlite } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { testRegistry, uploadOf } from '../../support/registry.js'

describe('signing as a development person', () => {
  it('signs a hash, so that nobody has to send what they sign, and refuses what is none', async () => {
    const { registry } = await testRegistry(await openSqlite())
    const { people } = await registry.get(ListDevelopmentPeople).execute(anonymous)
    expect(people).to.deep.include({ person: 'person-2', name: 'АСАНОВА АЙГУЛЬ', iin: 'IIN900101300020' })
    const original = Buffer.from('large, perhaps')
    const digest = createHash('sha256').update(original).digest('base64')
    for (const { person } of people) {
      const sign = registry.get(SignAsDevelopmentPerson)
      const { signature } = await sign.execute(anonymous, { request: { person, digest } })
      const { documentId } = await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      await registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      const short = sign.execute(anonymous, { request: { person, digest: 'AAAA' } })
      expect((await rejectionOf(short)).code).to.equal('invalidJsonStructure')
    }
    await registry.close()
  })
})
