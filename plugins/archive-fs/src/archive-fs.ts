import { ArchiveStore, definePlugin, provideValue } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { FolderStore } from './folder-store.js'

export const ArchiveFsOptions = Type.Object(
  { folder: Type.String({ minLength: 1, description: 'made when it is first written to' }) },
  { additionalProperties: false },
)
export type ArchiveFsOptions = Static<typeof ArchiveFsOptions>

/** Keeps originals in a folder of this machine. */
export const archiveFs = definePlugin({
  name: 'archive-fs',
  options: ArchiveFsOptions,
  parts: ({ folder }) => ({ provides: [provideValue(ArchiveStore, new FolderStore(folder))] }),
})
