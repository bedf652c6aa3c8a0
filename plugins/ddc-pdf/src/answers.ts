import Type from 'typebox'
import { Value } from 'typebox/value'
import type { FromProcess } from './job.js'

const Octets = Type.Refine(Type.Unsafe<Uint8Array>({}), (value) => value instanceof Uint8Array)
const Done = Type.Union([
  Type.Object({ files: Type.Array(Type.Object({ name: Type.String(), bytes: Octets })) }),
  Type.Object({
    pages: Type.Union([
      Type.Object({ compared: Type.Literal('same') }),
      Type.Object({ compared: Type.Literal('differ'), numbers: Type.Array(Type.Integer()) }),
      Type.Object({ compared: Type.Literal('notCompared'), reason: Type.Enum(['otherDrawing', 'otherSettings']) }),
    ]),
  }),
  Type.Object({ fault: Type.String(), problem: Type.String() }),
  Type.Object({ recipe: Type.Optional(Type.String()) }, { additionalProperties: false }),
])
const Said = Type.Union([Type.Literal('ready'), Type.Object({ done: Done, isSpent: Type.Boolean() })])

/** What a process that has read a hostile file says is believed no more than the file is. */
export const isFromProcess = (read: unknown): read is FromProcess => Value.Check(Said, read)
