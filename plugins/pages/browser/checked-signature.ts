import type { CheckedSigner } from '@signed-registry/client'
import { catalogued } from './api.js'
import { make } from './dom.js'
import { judgedSignature, type Showing } from './verdict.js'
import { verdictTexts } from './verdict-texts.js'
import { isComputable } from './verify-files.js'

/** A signature that the registry has judged: its refusals are in the registry's catalogue. */
export async function checkedSignature(one: CheckedSigner, showing: Showing = {}): Promise<HTMLElement> {
  const why = one.refusal && (await catalogued(one.refusal.message))
  const notes = isComputable(one) ? [] : [make('p', { class: 'hint' }, verdictTexts.hashUnknown)]
  return judgedSignature(one, { ...showing, why, notes })
}
