import { anonymous, Database } from '@signed-registry/core'

import { RegisterDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { forEachDatabase } from './databases.js'
import { testRegistry } from './registry.js'

describe('what must never be so in a registry', () => {
  forEachDatabase((open) => {
    it('is told when it is closed', async () => {
      const { registry, authorities } = await testRegistry(await open())
      const signature = authorities.person().signCms(Buffer.from('a'), { timeStamp: true, ocsp: true })
      const request = { signature: signature.toString('base64') }
      const { documentId } = await registry.get(RegisterDocument).execute(anonymous, { request })
      const { query } = registry.get(Database)
      await query('registry_documents').update({ signatures_total: 2 })
      await query('registry_shares').insert({ resource: 'temporaryStorage', owner: 'whole', used: 7 })
      const closed = await registry.close().then(String, String)
      expect(closed)
        .to.include(`not the number of its signatures: ${documentId}`)
        .and.to.include('not the sum of its shares: temporaryStorage')
    })
  })
})
