import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
// What is not installed ends a start, although nothing of it is loaded then.
const [ajv, fastJsonStringify] = [require.resolve('ajv'), require.resolve('fast-json-stringify')]

/** What compiles schemas is loaded when a request or an answer needs it first: its hundred files are a tenth of a start. */
export const compilers = {
  ajv: (): typeof import('ajv') => require(ajv),
  fastJsonStringify: (): typeof import('fast-json-stringify') => require(fastJsonStringify),
}

const none = (): never => {
  throw new TypeError(
    'A route outside of the API has a schema to compile: its scope needs validateRequests or serializeAnswers',
  )
}

/** In place of what Fastify would load for scopes that bring no compilers of their own. */
export const noCompilers = { compilersFactory: { buildValidator: none, buildSerializer: none } }
