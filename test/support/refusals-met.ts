import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { refusedChannel } from '@signed-registry/core'

import { coreAreas, coreOperations } from '#core/core-areas.js'

/** Of core: what plugins and tests bring beside it names its refusals to nobody. */
const named = new Set(coreOperations.flatMap(({ id, refusals }) => refusals.map(({ code }) => `${id} ${code}`)))
const known = new Set(coreOperations.map(({ id }) => id))
/** What a plugin behind a port refuses with is its own. */
const codes = new Set(coreAreas.flatMap(({ errors = [] }) => errors.flatMap(({ texts }) => Object.keys(texts))))

/** Kinds of failure that any operation may meet, since what it stands on failed. */
export const OF_ANY: readonly string[] = ['unavailable', 'full', 'unexpected']
/** Refused by the shape of a call before the operation is reached, so tested for all operations together. */
const BY_SHAPE = [
  'invalidQueryParameter',
  'invalidJsonStructure',
  'bodyTooLarge',
  'invalidIdempotencyKey',
  'idempotencyKeyReused',
  'answerTooLargeToKeep',
]

/** The folder in which the processes of a run record which operation refused with which code. */
const file = () => process.env.REFUSALS_MET

/** Records the refusals of every operation in this process. */
export function recordRefusals(): void {
  const met = new Set<string>()
  subscribe(refusedChannel.name, (message) => {
    const { operation, code, kind } = Object(message)
    const line = `${operation} ${code}`
    const to = file()
    if (to === undefined || met.has(line) || !known.has(operation) || !codes.has(code) || OF_ANY.includes(kind)) return
    met.add(line)
    appendFileSync(to, `${line}\n`)
  })
}

/** Refusals that operations do not declare; and, after a complete run, declared ones that no test has met. */
export function refusalFaults(isWhole: boolean): string[] {
  const to = file()
  if (to === undefined || !existsSync(to)) return []
  const met = new Set(readFileSync(to, 'utf8').trim().split('\n'))
  const unnamed = [...met].filter((line) => !named.has(line)).map((line) => `${line}: refused, and not in its refuses`)
  const unmet = isWhole
    ? [...named]
        .filter((line) => !met.has(line) && !BY_SHAPE.includes(line.split(' ')[1] ?? ''))
        .map((line) => `${line}: in its refuses, and in no test`)
    : []
  return [...unnamed, ...unmet].sort()
}
