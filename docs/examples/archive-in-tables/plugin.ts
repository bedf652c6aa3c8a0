import { ArchiveStore, definePlugin, provide } from '@signed-registry/core'
import { Type } from 'typebox'
import * as tables from './migrations/0001-objects.js'
import { TableStore } from './table-store.js'

/** Plugin: keeps originals in the database. */
export const archiveInTables = definePlugin({
  name: 'archive-in-tables',
  options: Type.Object({}, { additionalProperties: false }),
  parts: () => ({
    migrations: { 'archive-in-tables-0001-objects': tables },
    provides: [provide(ArchiveStore, TableStore)],
  }),
})
