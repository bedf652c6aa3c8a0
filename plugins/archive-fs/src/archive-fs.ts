import { ArchiveStore, Check, definePlugin, provideValue } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { checkFolder } from './check-folder.js'
import { FolderStore } from './folder-store.js'
import { freeBytes, Room } from './room.js'

export const ArchiveFsOptions = Type.Object(
  {
    folder: Type.String({ minLength: 1, description: 'made when it is first written to' }),
    reserve: Type.Optional(
      Type.Integer({ minimum: 0, description: 'bytes that stay free on its disk; 0 unless given', default: 0 }),
    ),
  },
  { additionalProperties: false },
)
export type ArchiveFsOptions = Static<typeof ArchiveFsOptions>

/** Keeps originals in a folder of this machine. */
export const archiveFs = definePlugin({
  name: 'archive-fs',
  options: ArchiveFsOptions,
  parts: ({ folder, reserve = 0 }) => ({
    provides: [
      provideValue(ArchiveStore, new FolderStore(folder, new Room(() => freeBytes(folder), reserve))),
      provideValue(Check, checkFolder(folder, reserve)),
    ],
  }),
})
