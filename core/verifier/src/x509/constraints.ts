import { readBoolean } from '../der/boolean.js'
import { BOOLEAN, contextConstructed, fieldsOf, INTEGER } from '../der/fields.js'
import { readSmallInteger } from '../der/integer.js'
import { children, type DerElement, DerError } from '../der/reader.js'
import { type GeneralName, readGeneralName } from './general-name.js'

/** RFC 5280 section 4.2.1.9. */
export interface BasicConstraints {
  readonly ca: boolean
  readonly pathLength: number | undefined
}

export function readBasicConstraints(element: DerElement): BasicConstraints {
  const fields = fieldsOf(element)
  const flag = fields.takeIf(BOOLEAN)
  const length = fields.takeIf(INTEGER)
  fields.finish()
  return {
    ca: flag !== undefined && readBoolean(flag),
    pathLength: length === undefined ? undefined : readSmallInteger(length),
  }
}

/** RFC 5280 section 4.2.1.10. */
export interface NameConstraints {
  readonly permitted: readonly GeneralName[]
  readonly excluded: readonly GeneralName[]
}

const MAX_SUBTREES = 4_096

export function readNameConstraints(element: DerElement): NameConstraints {
  const fields = fieldsOf(element)
  const permitted = fields.takeIf(contextConstructed(0))
  const excluded = fields.takeIf(contextConstructed(1))
  fields.finish()
  if (permitted === undefined && excluded === undefined) throw new DerError('name constraints are empty')
  return { permitted: subtrees(permitted), excluded: subtrees(excluded) }
}

function subtrees(element: DerElement | undefined): GeneralName[] {
  if (element === undefined) return []
  const bases = children(element, MAX_SUBTREES).map((subtree) => {
    const fields = fieldsOf(subtree)
    const base = readGeneralName(fields.any(), true)
    // Minimum is 0 by default and maximum is absent; other values have no meaning in RFC 5280.
    fields.finish()
    return base
  })
  if (bases.length === 0) throw new DerError('subtrees are empty')
  return bases
}
