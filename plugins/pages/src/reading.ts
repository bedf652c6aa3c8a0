import type { DocumentResource } from '@signed-registry/client'
import { isOpenForNow } from '@signed-registry/core'
import type { Visit } from './visit.js'

type Kept = Pick<DocumentResource, 'dataArchived' | 'tempStorage' | 'settings' | 'signaturesTotal'>

/** Whether the registry keeps the original. */
export const isKept = ({ dataArchived, tempStorage }: Kept): boolean => dataArchived || tempStorage

/** Whether the registry gives the original to a visitor who may see the document: as `GET /api/{id}/data` does. */
export const mayRead = ({ caller }: Visit, document: Kept): boolean =>
  isKept(document) && (caller.kind === 'person' || caller.kind === 'employee' || isOpen(document))

/** Others are asked who they are. A document that nobody signed is one that was preregistered. */
const isOpen = ({ settings, signaturesTotal }: Kept): boolean =>
  isOpenForNow({ settings, signaturesTotal, preregistered: signaturesTotal === 0 })
