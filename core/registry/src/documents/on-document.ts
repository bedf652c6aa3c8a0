import { assertAuthenticated, type Caller, type DocumentAction } from '../identity/index.js'
import { guard } from '../kernel/operation.js'
import { DocumentAccess } from './document-access.js'
import { DocumentStore } from './document-store.js'

const WORDS: Readonly<Record<DocumentAction, string>> = {
  view: 'whoever may view the document',
  readData: 'whoever may read the original',
  act: 'whoever may act on the document',
  changeSettings: 'whoever may change the settings of the document',
}

/** Additional words of an object's guard, and whether it refuses all anonymous callers. */
export interface GuardOptions {
  readonly more?: string
  readonly authenticated?: true
}

/** Lets in who may do this with the document in the address, by the access table; `execute` gets the `document`. */
export const onDocument = (action: DocumentAction, { more = '', authenticated }: GuardOptions = {}) =>
  guard({
    words: `${WORDS[action]}${authenticated ? ' and is authenticated' : ''}${more}`,
    refuses: ['invalidDocumentIdentifier', 'documentNotFound', 'authenticationRequired', 'accessDenied'],
    inject: { documents: DocumentStore, access: DocumentAccess },
    check:
      ({ documents, access }) =>
      async (caller: Caller, { id }: { readonly id: string }) => {
        const document = await documents.get(id)
        if (authenticated) assertAuthenticated(caller)
        await access.assertMay(action, caller, document)
        return { document }
      },
  })
