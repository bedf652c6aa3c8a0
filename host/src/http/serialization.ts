import type { FastifyInstance } from 'fastify'
import { compilers } from './compilers.js'
import { referred } from './components.js'

type Serialize = (answer: unknown) => string

/**
 * Writes answers as their schemas say, those of this scope. A serializer is made when the first answer needs it, and once for all
 * routes that answer the same: all of them together would take longer than the rest of a start.
 */
export function serializeAnswers(app: FastifyInstance): void {
  const ofComponents = new Map<string, Serialize>()
  app.setSerializerCompiler(({ schema }: { schema: unknown }) => {
    const make = (): Serialize =>
      compilers.fastJsonStringify()(Object(schema), { schema: Object(referred(app, schema)) })
    const { $ref: component } = Object(schema)
    let serialize: Serialize | undefined
    return (answer: unknown) => {
      serialize ??= typeof component === 'string' ? shared(ofComponents, component, make) : make()
      return serialize(answer)
    }
  })
}

function shared(serializers: Map<string, Serialize>, component: string, make: () => Serialize): Serialize {
  const serialize = serializers.get(component) ?? make()
  serializers.set(component, serialize)
  return serialize
}
