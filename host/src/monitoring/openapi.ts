import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { Registry } from '@signed-registry/core'
import { GetVersion } from '@signed-registry/core/status'
import type { FastifyInstance } from 'fastify'
import { toSafeJson } from '../http/answers.js'
import { describeAnswers } from './openapi-answers.js'

const BY_CERTIFICATE = {
  system: { type: 'mutualTLS', description: 'client certificate of an information system, on the port for systems' },
}
const TITLE = 'Signed Document Registry'

/** Describes all routes that are registered after this in OpenAPI 3.1: `/openapi.json`, and `/docs` to browse. */
export async function serveOpenApi(app: FastifyInstance, registry: Registry): Promise<void> {
  await app.register(swagger, {
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
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: { title: TITLE, css: [{ filename: 'ours.css', content: '.topbar { display: none }' }] },
  })
  // Serialized once: 280 KB for every request blocked others for seconds.
  let written: Buffer | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    written ??= Buffer.from(toSafeJson(JSON.stringify(app.swagger())))
    return reply.type('application/json; charset=utf-8').send(written)
  })
}
