import { openSchema } from '@signed-registry/core'

import { expect } from 'chai'
import { forEachDatabase, forEachEmptyDatabase } from './databases.js'

describe('databases for tests', () => {
  forEachEmptyDatabase((open) => {
    it('are empty and each another one', async () => {
      const [first, second] = [await open(), await open()]
      expect(first).to.not.equal(second)
      const schema = openSchema(first, [])
      expect((await schema.status()).applied).to.deep.equal([])
      await schema.close()
    })
  })

  forEachDatabase((open) => {
    it('have the schema that migrations make', async () => {
      const schema = openSchema(await open(), [])
      expect((await schema.status()).pending).to.deep.equal([])
      await schema.close()
    })
  })
})
