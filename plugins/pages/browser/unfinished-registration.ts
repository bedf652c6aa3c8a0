import type { Operations } from '@signed-registry/client'
import { newKey } from './bytes.js'
import type { GivenSignature } from './signature-file.js'

/**
 * An unfinished registration: everything needed to resume it except the files. Kept in the browser until it is finished, so that
 * a lost connection or a closed tab loses nothing, and nothing is signed or registered twice.
 */
export interface Begun {
  /** Idempotency key of its requests. */
  readonly key: string
  readonly title: string
  readonly files: readonly { readonly name: string; readonly digest: string }[]
  readonly request:
    | { readonly document: Operations['registerDocument']['input']['request'] }
    | {
        readonly package: Operations['registerPackage']['input']['request']
        readonly signatures: readonly GivenSignature[]
      }
  /** The answer of the registry; absent until it is known. */
  readonly registered?: Registered
  /** Documents whose files have arrived. */
  readonly arrived: readonly string[]
}

/** Identifiers of what was registered: documents in the order of the files. */
export interface Registered {
  readonly documentsIds: readonly string[]
  readonly packageId?: string
  readonly dataSecret?: string
}

const KEY = 'begun'
const MAX_KEPT = 20

/** A registration that has not been asked for yet, under a key of its own. */
export const newlyBegun = (title: string, files: Begun['files'], request: Begun['request']): Begun => ({
  key: newKey(),
  title,
  files,
  request,
  arrived: [],
})

/** Unfinished registrations of this browser, oldest first. */
export function allBegun(): Begun[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

/** Saves the progress of a registration. */
export function remember(begun: Begun): Begun {
  keep([...others(begun.key), begun])
  return begun
}

export const forget = (key: string): void => keep(others(key))

const others = (key: string): Begun[] => allBegun().filter((one) => one.key !== key)

function keep(all: readonly Begun[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(-MAX_KEPT)))
  } catch {
    // Without storage only resuming after a closed tab is lost.
  }
}

/** Path of the page of the registered document or package. */
export const addressOf = ({ packageId, documentsIds }: Registered): string =>
  packageId === undefined ? `/d/${documentsIds[0]}` : `/p/${packageId}`

/** True when the file at this index has arrived. */
export const hasArrived = ({ registered, arrived }: Begun, index: number): boolean =>
  arrived.includes(registered?.documentsIds[index] ?? '')
