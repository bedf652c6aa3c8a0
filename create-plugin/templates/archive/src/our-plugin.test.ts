import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ArchiveStore, createRegistry, type Registry } from '@signed-registry/core'
import { archiveStoreContract } from '@signed-registry/core/contracts'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { ourPlugin } from './our-plugin.js'

describe('our-plugin as an ArchiveStore', () => {
  let registry: Registry
  before(async () => {
    registry = await createRegistry({ database: 'sqlite::memory:', plugins: [devAuthorities({}), ourPlugin({})] })
  })
  after(() => registry.close())
  const open = () => {
    const store = registry.get(ArchiveStore)
    assert.ok(store)
    return store
  }

  for (const { title, check } of archiveStoreContract({ open, large: 3 * 1024 * 1024 })) it(title, check)
})
