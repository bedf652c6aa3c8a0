import { type OutboundClient, RegistryError } from '@signed-registry/core'
import { readNote } from '@signed-registry/verifier'
import { plain } from '@signed-registry/verifier/command'
import { readCheckpoint } from '@signed-registry/verifier/log'
import { UsageError } from '../console.js'
import { MAX_NAME } from './audit-state.js'
import { LogReader, LogUnreadable, type Retries } from './log-reader.js'

/** A log that was found, with what it says of itself: nothing of this is verified. */
export interface FoundLog {
  /** The given address, of the registry where it is that of a log of one. */
  readonly address: string
  /** Whether the given address is that of the log itself. */
  readonly isDirect: boolean
  readonly reader: LogReader
  /** The newest checkpoint, a signed note. */
  readonly note: string
  readonly origin: string
  /** The key that the registry names. */
  readonly toldKey: string | undefined
  /** Signed notes of checkpoints by which the key was changed, the oldest first. */
  readonly keyChanges: readonly string[]
}

/** More changes of a key than a log has in its life. */
const MAX_KEY_CHANGES = 64

/** Finds the log at its own prefix, or by what the registry at an address says. Rejects with `LogUnreadable`. */
export async function findLog(url: string, client: Pick<OutboundClient, 'send'>, retries: Retries): Promise<FoundLog> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`Give the address of a log or of a registry, not ${url}`)
  if (/[?#]/.test(url)) throw new UsageError(`Give the address of a log or of a registry without ? and #, not ${url}`)
  const address = new URL(url).href.replace(/\/+$/, '')
  const readerAt = (place: string) => new LogReader(place, client, retries)
  const direct = await checkpointAt(readerAt(address))
  if (direct !== undefined) {
    const registry = /^(.+)\/log\/[^/]+$/.exec(address)?.[1]
    const told = registry === undefined ? undefined : await toldBy(readerAt(registry)).catch(() => undefined)
    const place = { address: registry ?? address, isDirect: true, reader: readerAt(address) }
    return { ...place, ...direct, toldKey: told?.verifierKey, keyChanges: told?.keyChanges ?? [] }
  }
  const told = await toldBy(readerAt(address))
  const reader = readerAt(placeOn(address, told.address))
  const found = await checkpointAt(reader)
  if (found === undefined) throw new LogUnreadable(`${reader.address}/checkpoint is no checkpoint of a log`)
  return { address, isDirect: false, reader, ...found, toldKey: told.verifierKey, keyChanges: told.keyChanges }
}

/** The address of a log that a registry names: on its own server, since others may be such as only this machine can ask. */
function placeOn(registry: string, told: string): string {
  const isOwn = URL.canParse(told) && new URL(told).origin === new URL(registry).origin && !/[?#]/.test(told)
  if (isOwn) return told.replace(/\/+$/, '')
  throw new UsageError(
    plain(
      `the log of ${registry} is said to be at ${told}, which is another server or no plain address, and is not asked: give that address yourself if it is right`,
    ),
  )
}

/** The checkpoint at a prefix; `undefined` where there is none. */
async function checkpointAt(reader: LogReader): Promise<Pick<FoundLog, 'note' | 'origin'> | undefined> {
  try {
    const note = await reader.text('checkpoint')
    const origin = originOf(note)
    if (origin.length <= MAX_NAME) return { note, origin }
    throw new LogUnreadable(`${reader.address} has a log whose name is longer than ${MAX_NAME} characters`)
  } catch (error) {
    if (error instanceof RegistryError || (error instanceof LogUnreadable && error.isAbsent)) return undefined
    throw error
  }
}

const originOf = (note: string): string => readCheckpoint(readNote(note).text).origin

interface Told {
  readonly address: string
  readonly verifierKey?: string
  readonly keyChanges: readonly string[]
}

/** What `GET /api/log` of a registry says. */
async function toldBy(reader: LogReader): Promise<Told> {
  const nothing = new LogUnreadable(`${reader.address} is neither a log nor a registry with one`)
  const text = await reader.text('api/log').catch((error: unknown) => {
    throw error instanceof LogUnreadable && error.isAbsent ? nothing : error
  })
  const { address, verifierKey, keyChanges }: Partial<Record<keyof Told, unknown>> = parsed(text)
  if (typeof address !== 'string') throw nothing
  return { address, keyChanges: notesIn(keyChanges), ...(typeof verifierKey === 'string' && { verifierKey }) }
}

/** The notes of key changes, as far as they are such. */
function notesIn(keyChanges: unknown): string[] {
  const changes: readonly unknown[] = Array.isArray(keyChanges) ? keyChanges.slice(0, MAX_KEY_CHANGES) : []
  return changes.flatMap((change) => {
    const { checkpoint }: { checkpoint?: unknown } = Object(change)
    return typeof checkpoint === 'string' ? [checkpoint] : []
  })
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
