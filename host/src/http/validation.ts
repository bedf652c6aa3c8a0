import { Ajv } from 'ajv'
import type { FastifyInstance } from 'fastify'

/** Checks bodies exactly as they came, and reads numbers and booleans out of the text of addresses. Unknown fields are ignored. */
export function validateRequests(app: FastifyInstance): void {
  let validators: { exact: Ajv; coercing: Ajv } | undefined
  app.setValidatorCompiler(({ schema, httpPart }) => {
    validators ??= { exact: validator(app, false), coercing: validator(app, true) }
    return (httpPart === 'body' ? validators.exact : validators.coercing).compile(schema)
  })
}

function validator(app: FastifyInstance, coerceTypes: boolean): Ajv {
  const ajv = new Ajv({ coerceTypes, strict: false, validateFormats: false, addUsedSchema: false })
  for (const schema of Object.values(app.getSchemas())) ajv.addSchema(schema as object)
  return ajv
}
