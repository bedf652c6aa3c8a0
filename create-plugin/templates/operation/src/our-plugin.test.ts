import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anonymous, createRegistry, type Registry } from '@signed-registry/core'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { CountVisit } from './count-visit.js'
import { ourPlugin } from './our-plugin.js'

describe('our-plugin', () => {
  let registry: Registry
  before(async () => {
    const plugins = [devAuthorities({}), ourPlugin({ refused: ['nobody'] })]
    registry = await createRegistry({ database: 'sqlite::memory:', plugins })
  })
  after(() => registry.close())
  const visit = (name: string) => registry.get(CountVisit).execute(anonymous, { name })

  it('counts visits by name', async () => {
    assert.deepEqual(await visit('somebody'), { visits: 1 })
    assert.deepEqual(await visit('somebody'), { visits: 2 })
    assert.deepEqual(await visit('another'), { visits: 1 })
  })

  it('refuses visitors as the operator says, and names that are none', async () => {
    await assert.rejects(visit('nobody'), { code: 'visitorRefused' })
    await assert.rejects(visit('No Name'), { code: 'invalidQueryParameter' })
  })
})
