import { ArchiveStore, createRegistry, type Registry } from '@signed-registry/core'
import { archiveStoreContract } from '@signed-registry/core/contracts'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { archiveInTables } from './plugin.js'

describe('the example of an archive store', () => {
  let registry: Registry
  before(async () => {
    registry = await createRegistry({ database: 'sqlite::memory:', plugins: [devAuthorities({}), archiveInTables({})] })
  })
  after(() => registry.close())

  const open = () => {
    const store = registry.get(ArchiveStore)
    if (store === undefined) throw new Error('There is no store')
    return store
  }
  // The contract that every store must meet, ours included.
  for (const { title, check } of archiveStoreContract({ open, large: 3 * 1024 * 1024 })) it(title, check)
})
