import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** Describes all routes that are registered after this in OpenAPI 3.1: `/openapi.json`, and `/docs` to browse. */
export async function serveOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Signed Document Registry',
        version,
        description: 'Registers electronically signed documents, keeps the evidence, and proves them again.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'jwt', description: 'set by POST /api/auth' },
        },
      },
      // What is open to whom depends on the object (docs/access.md); systems have their certificate instead.
      security: [{}, { session: [] }],
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
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  })
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
