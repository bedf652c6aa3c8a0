import type { DocumentSettings } from '@signed-registry/client'

const KEPT_FOR = 30 * 24 * 60 * 60 * 1000

/** What a form says of who may see a document, and how long its original is kept. */
export const keepingIn = (data: FormData): DocumentSettings => ({
  ...(data.has('private') && { private: true }),
  ...(data.has('keep') && { tempStorageAfterRegistration: KEPT_FOR }),
  ...(data.has('archive') && { forceArchive: true }),
})
