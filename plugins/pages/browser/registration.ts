import { isProblem } from '@signed-registry/client'
import { client } from './api.js'
import { make, own, progressBar, say } from './dom.js'
import { askAgain } from './retry.js'
import { texts } from './texts.js'
import { addressOf, type Begun, forget, hasArrived, type Registered, remember } from './unfinished-registration.js'

/**
 * Continues a registration as far as the available files allow: registers, sends originals, signs a package. Answers its new state,
 * and removes it from storage when it is finished.
 */
export async function goOn(
  begun: Begun,
  files: ReadonlyMap<string, File>,
  place: HTMLElement,
): Promise<{ readonly begun: Begun; readonly isFinished: boolean }> {
  let now = await register(begun, place)
  for (const [index, { digest }] of now.files.entries()) {
    const file = files.get(digest)
    if (file === undefined || hasArrived(now, index)) continue
    await sendOriginal(now, index, file, place)
    now = remember({ ...now, arrived: [...now.arrived, now.registered?.documentsIds[index] ?? ''] })
  }
  if (now.arrived.length < now.files.length) return { begun: now, isFinished: false }
  await signWhole(now, place)
  forget(now.key)
  return { begun: now, isFinished: true }
}

/** Says which files are registered and which are not. */
export function soFar(begun: Begun): HTMLElement[] {
  const { registered, files, request } = begun
  const head =
    registered === undefined
      ? make('p', {}, texts.notKnown)
      : make('p', {}, `${texts.isRegistered} `, make('a', { href: addressOf(registered), target: '_blank' }, texts.see))
  const lines = files.map(({ name }, index) =>
    make('li', {}, own(hasArrived(begun, index) ? texts.hasArrived(name) : texts.hasNotArrived(name))),
  )
  if ('package' in request) lines.push(make('li', {}, texts.notSignedYet))
  return registered === undefined ? [head] : [head, make('ul', {}, ...lines)]
}

async function register(begun: Begun, place: HTMLElement): Promise<Begun> {
  if (begun.registered !== undefined) return begun
  say(place, 'busy', make('p', {}, texts.registering))
  try {
    return remember({
      ...begun,
      registered: await askAgain(
        place,
        () => asked(begun),
        () => soFar(begun),
      ),
    })
  } catch (error) {
    // A refused registration can be discarded.
    forget(begun.key)
    throw error
  }
}

async function asked({ request, key }: Begun): Promise<Registered> {
  const once = { idempotencyKey: key }
  if ('package' in request) {
    const { packageId, documentsIds, dataSecret } = await client.registerPackage({ request: request.package }, once)
    return { packageId, documentsIds, ...(dataSecret !== undefined && { dataSecret }) }
  }
  const { documentId } = await client.registerDocument({ request: request.document }, once)
  return { documentsIds: [documentId] }
}

async function sendOriginal(begun: Begun, index: number, file: File, place: HTMLElement): Promise<void> {
  const { documentsIds = [], dataSecret } = begun.registered ?? {}
  const id = documentsIds[index] ?? ''
  const name = begun.files[index]?.name ?? file.name
  const bar = progressBar(texts.sending(name))
  const send = () => {
    say(place, 'busy', make('p', {}, own(texts.sending(name))), bar.element)
    bar.to(0)
    return unlessOffline((signal) =>
      client.fixDigests(
        { id, upload: file, ...(dataSecret !== undefined && { query: { dataSecret } }) },
        { signal, onProgress: (sent, total) => bar.to(sent / (total || 1)) },
      ),
    )
  }
  try {
    await askAgain(place, send, () => soFar(begun))
  } catch (error) {
    // An earlier upload succeeded, but its answer was lost.
    if (isProblem(error, 'documentDigestsAlreadyKnown')) return
    // The registry has dropped it, as no original arrived in time.
    if (isProblem(error, 'documentNotFound')) forget(begun.key)
    throw error
  }
}

/** Aborts when the computer goes offline: a stalled upload would be noticed only after minutes. */
async function unlessOffline<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const end = () => stop.abort(new TypeError('The computer is offline'))
  addEventListener('offline', end, { once: true })
  try {
    return await work(stop.signal)
  } finally {
    removeEventListener('offline', end)
  }
}

async function signWhole(begun: Begun, place: HTMLElement): Promise<void> {
  const { request, key, registered } = begun
  const packageId = registered?.packageId
  if (!('package' in request) || packageId === undefined) return
  const { signatures } = request
  say(place, 'busy', make('p', {}, texts.registering))
  const sign = () => client.signPackage({ packageId, request: { signatures } }, { idempotencyKey: `${key}-signatures` })
  await askAgain(place, sign, () => soFar(begun))
}
