import type { Operations } from '@signed-registry/client'
import type { GivenSignature } from './signature-file.js'

/**
 * A registration that this browser has begun: what is needed to go on with it, but the files. It is kept until it is finished, so that neither
 * a lost connection nor a closed tab loses anything, and nothing is signed or registered twice.
 */
export interface Begun {
  /** Names its requests, so that one that is sent again has one effect. */
  readonly key: string
  readonly title: string
  readonly files: readonly { readonly name: string; readonly digest: string }[]
  readonly request:
    | { readonly document: Operations['registerDocument']['input']['request'] }
    | {
        readonly package: Operations['registerPackage']['input']['request']
        readonly signatures: readonly GivenSignature[]
      }
  /** What the registry answered; absent while that is not known. */
  readonly registered?: Registered
  /** Documents whose files have arrived. */
  readonly arrived: readonly string[]
}

/** Identifiers of what is registered: documents in the order of the files. */
export interface Registered {
  readonly documentsIds: readonly string[]
  readonly packageId?: string
  readonly dataSecret?: string
}

const KEY = 'begun'
const MAX_KEPT = 20

/** What this browser has begun and not finished, oldest first. */
export function allBegun(): Begun[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

/** Keeps how far a registration has come. */
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
    // A browser that keeps nothing loses what a closed tab had begun, and nothing more.
  }
}

/** Where the page of what is registered is. */
export const addressOf = ({ packageId, documentsIds }: Registered): string =>
  packageId === undefined ? `/d/${documentsIds[0]}` : `/p/${packageId}`

/** True where the file of this place has arrived. */
export const hasArrived = ({ registered, arrived }: Begun, index: number): boolean =>
  arrived.includes(registered?.documentsIds[index] ?? '')
