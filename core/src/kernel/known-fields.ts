import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** A copy of a checked value with the fields that its schema knows: what is ignored is not kept either. */
export const knownFields = <S extends TSchema>(schema: S, value: Static<S>): Static<S> =>
  Value.Clean(schema, structuredClone(value)) as Static<S>
