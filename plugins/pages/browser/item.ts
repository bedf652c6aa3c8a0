import { client } from './api.js'
import { byId, dataOf } from './dom.js'
import { look } from './look.js'
import { offerLooks } from './offer-looks.js'
import { onceIdle } from './once-idle.js'
import { storedOriginal } from './stored-original.js'

const { id: shown } = dataOf<{ readonly id?: string }>('shown')
const find = async (id: string) => {
  const [blob, { title }] = await Promise.all([storedOriginal(id), client.getDocument({ id })])
  return { blob, name: title || id }
}

offerLooks(find)
if (shown !== undefined) {
  // What cannot be fetched now still has its button.
  onceIdle(
    () =>
      void find(shown).then(
        (seen) => look(byId('looked', HTMLElement), seen),
        () => undefined,
      ),
  )
}
