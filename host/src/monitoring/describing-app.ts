import { createRequire } from 'node:module'
import type { Registry } from '@signed-registry/core'
import { GetVersion } from '@signed-registry/core/status'
import Fastify, { type FastifyInstance } from 'fastify'
import type { DescribedRoutes } from './described-routes.js'
import { describeAnswers } from './openapi-answers.js'

const require = createRequire(import.meta.url)
// Resolved at startup, so that a missing package fails there although it is loaded later.
const [swagger, swaggerUi] = [require.resolve('@fastify/swagger'), require.resolve('@fastify/swagger-ui')]

/** Loaded for the first reader: their hundred files would be a tenth of the startup time. */
const plugins = {
  swagger: (): typeof import('@fastify/swagger') => require(swagger),
  swaggerUi: (): typeof import('@fastify/swagger-ui') => require(swaggerUi),
}

const BY_CERTIFICATE = {
  system: { type: 'mutualTLS', description: 'client certificate of an information system, on the port for systems' },
}
const TITLE = 'Signed Document Registry'

/** An application that is asked in process alone: it describes routes in OpenAPI 3.1, and has the pages that show that. */
export async function describingApp(described: DescribedRoutes, registry: Registry): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false, routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 } })
  // Its routes for what is described are never called.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  await app.register(plugins.swagger().default, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: TITLE,
        version: registry.get(GetVersion).execute().version,
        description: 'Registers electronically signed documents, keeps the evidence, and proves them again.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'jwt', description: 'set by POST /api/auth' },
        },
      },
      // Optional everywhere: who needs to authenticate depends on the object (docs/access.md).
      security: [{}, { session: [] }],
      servers: [{ url: '/' }],
      tags: [
        { name: 'authentication', description: 'Logging in by a signed nonce' },
        { name: 'documents', description: 'Registration, hashes, signatures, verification' },
        { name: 'packages', description: 'Documents that are registered and signed together' },
        { name: 'routing', description: 'Sending to a counterparty; incoming and outgoing items' },
        { name: 'settings', description: 'Settings of people' },
        { name: 'organizations', description: 'Settings, rights and subscriptions of organizations' },
        { name: 'utility', description: 'Version, known strings, state of external services' },
      ],
    },
    transformObject(described) {
      if (!('openapiObject' in described)) return described.swaggerObject
      // Valid in OpenAPI 3.1, but missing in the types.
      Object.assign(described.openapiObject.components?.securitySchemes ?? {}, BY_CERTIFICATE)
      const { security = [], paths = {} } = described.openapiObject
      describeAnswers(paths, registry.operations)
      return { ...described.openapiObject, security: [...security, { system: [] }] }
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  })
  await app.register(plugins.swaggerUi().default, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: { title: TITLE, css: [{ filename: 'ours.css', content: '.topbar { display: none }' }] },
  })
  for (const schema of described.schemas().values()) app.addSchema(schema)
  for (const { method, url, schema } of described.routes)
    app.route({ method, url, ...(schema && { schema }), handler: () => undefined })
  await app.ready()
  return app
}
