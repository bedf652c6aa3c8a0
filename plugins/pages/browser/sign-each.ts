import { client, failureText } from './api.js'
import { make, own, say } from './dom.js'
import { askAgain } from './retry.js'
import type { GivenSignature } from './signature-file.js'
import { texts } from './texts.js'

/** Adds a signature to each of several documents; says which were refused and why, and answers whether all were taken. */
export async function signEach(
  documents: readonly { readonly documentId: string; readonly title: string }[],
  signatures: readonly GivenSignature[],
  key: string,
  place: HTMLElement,
): Promise<boolean> {
  const told: HTMLElement[] = []
  let refused = 0
  for (const [index, { documentId: id, title }] of documents.entries()) {
    const request = signatures[index]
    if (request === undefined) continue
    try {
      await askAgain(
        place,
        () => client.addSignature({ id, request }, { idempotencyKey: `${key}-${index}` }),
        () => told,
      )
      told.push(make('li', {}, own(title || id), ' ', make('span', { class: 'chip good' }, texts.signed)))
    } catch (error) {
      refused += 1
      told.push(make('li', {}, own(title || id), ' ', make('span', { class: 'chip bad' }, await failureText(error))))
    }
  }
  if (refused > 0) say(place, 'warn', make('ul', { class: 'rows' }, ...told))
  return refused === 0
}
