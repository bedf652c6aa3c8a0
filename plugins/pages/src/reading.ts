import type { DocumentResource } from '@signed-registry/client'
import type { Visit } from './visit.js'

type Kept = Pick<DocumentResource, 'dataArchived' | 'tempStorage'>

/** Whether the registry keeps the original. */
export const isKept = ({ dataArchived, tempStorage }: Kept): boolean => dataArchived || tempStorage

/** Whether the registry keeps the original and this visitor may read it. */
export const mayRead = async ({ use, caller }: Visit, id: string, document: Kept): Promise<boolean> =>
  isKept(document) && use.getDocumentData.admits(caller, { id })
