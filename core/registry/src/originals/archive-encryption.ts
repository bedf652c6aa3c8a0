import Type, { type Static } from 'typebox'
import { definePlugin } from '../kernel/plugin.js'
import { watch } from '../kernel/service.js'
import { EncryptedStore } from './encryption.js'
import { ArchiveStore } from './ports.js'

const Key = Type.Object({
  name: Type.String(),
  key: Type.Refine(Type.Unsafe<Uint8Array>({}), (value) => value instanceof Uint8Array),
})
/** Options of `archiveEncryption`. */
export const ArchiveEncryptionOptions = Type.Object(
  { keys: Type.Array(Key, { minItems: 1, description: '32 bytes each; the first wraps what is stored from now on' }) },
  { additionalProperties: false },
)
export type ArchiveEncryptionOptions = Static<typeof ArchiveEncryptionOptions>

/** Plugin: encrypts whatever the archive store of another plugin keeps. */
export const archiveEncryption = definePlugin({
  name: 'archive-encryption',
  options: ArchiveEncryptionOptions,
  parts: ({ keys }) => ({
    watches: [watch(ArchiveStore, (store) => store && new EncryptedStore(store, keys))],
  }),
})
