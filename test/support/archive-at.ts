import { archiveFs } from '@signed-registry/archive-fs'
import { archiveS3, parseArchiveUrl } from '@signed-registry/archive-s3'
import type { Plugin } from '@signed-registry/core'

/** The archive plugin for a location: the URL of an object store (`s3://…`) or a folder. */
export const archiveAt = (where: string): Plugin =>
  where.startsWith('s3:') ? archiveS3(parseArchiveUrl(where)) : archiveFs({ folder: where })
