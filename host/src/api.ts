import type { Registry } from '@signed-registry/core'
import type { FastifyPluginAsync } from 'fastify'
import { type ApiSettings, apiScope, defaultApiSettings } from './http/api-scope.js'
import { documentNameRoutes } from './routes/document-names.js'
import { documentRoutes, documentUploadRoutes } from './routes/documents.js'
import { organizationRoutes } from './routes/organization.js'
import { settingsRoutes } from './routes/settings.js'
import { signatureRoutes } from './routes/signatures.js'
import { utilityRoutes } from './routes/utility.js'

/** What `registryApi` takes; Fastify adds `prefix`. */
export interface RegistryApiOptions extends Partial<ApiSettings> {
  readonly registry: Registry
}

/** Fastify plugin: mounts the API (`/api…`) in any application. Its error handling, parsers and limits stay inside it. */
export const registryApi: FastifyPluginAsync<RegistryApiOptions> = async (app, { registry, ...settings }) => {
  await app.register(
    (scope) =>
      apiScope(
        scope,
        { ...defaultApiSettings, ...settings },
        {
          json(api) {
            documentRoutes(api, registry)
            signatureRoutes(api, registry)
            documentNameRoutes(api, registry)
            settingsRoutes(api, registry)
            organizationRoutes(api, registry)
            utilityRoutes(api, registry)
          },
          uploads(api) {
            documentUploadRoutes(api, registry)
          },
        },
      ),
    { prefix: '/api' },
  )
}
