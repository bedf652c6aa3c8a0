import { definePlugin, provideValue, SignedFileReader } from '@signed-registry/core'
import { type Static, Type } from 'typebox'
import { ThreadFileReader } from './thread-file-reader.js'

/** Options of `signedFiles`. */
export const SignedFilesOptions = Type.Object(
  {
    folder: Type.Optional(Type.String({ description: 'for temporary files; default: that of the system' })),
    maxBytes: Type.Optional(Type.Integer({ minimum: 1, description: 'of one file; default 1 GiB and 64 MiB' })),
    roomBytes: Type.Optional(Type.Integer({ minimum: 1, description: 'of all files at a time; default 4 GiB' })),
    memoryMb: Type.Optional(Type.Integer({ minimum: 64, description: 'of a thread that reads; default 250' })),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, description: 'for reading one file; default two minutes' })),
  },
  { additionalProperties: false },
)
export type SignedFilesOptions = Static<typeof SignedFilesOptions>

const GIB = 1024 ** 3

/** Plugin: reads signed PDFs, containers, CMS and XML, each in a thread. */
export const signedFiles = definePlugin({
  name: 'signed-files',
  options: SignedFilesOptions,
  parts: ({ folder, maxBytes = GIB + GIB / 16, roomBytes = 4 * GIB, memoryMb = 250, timeoutMs = 120_000 }) => ({
    provides: [
      provideValue(SignedFileReader, new ThreadFileReader({ folder, maxBytes, roomBytes, memoryMb, timeoutMs })),
    ],
  }),
})
