import { anonymous, type Caller } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { forbidCaching } from '../browser/security-headers.js'
import type { ErrorsStatus } from '../error-status.js'
import { type BodyPace, expectBodiesInTime } from './body-deadline.js'
import { type Api, addComponents, type TypeBox } from './components.js'
import { takeJson } from './json-body.js'
import { answerProblems, Problem } from './problem.js'
import { answerSafeJson } from './safe-json.js'
import { refuseUnknownRoutes, watchMethods } from './unknown-routes.js'
import { takeUploads } from './upload.js'
import { validateRequests } from './validation.js'

/** How the API treats requests. */
export interface ApiSettings {
  readonly errorsStatus: ErrorsStatus
  /** Largest bodies, in bytes. */
  readonly limits: { readonly json: number; readonly upload: number }
  readonly pace: BodyPace
}

export const defaultApiSettings: ApiSettings = {
  errorsStatus: 'semantic',
  limits: { json: 10 * 2 ** 20, upload: 4 * 2 ** 30 },
  pace: { grace: 30_000, bytesPerSecond: 16 * 1024 },
}

/** Adds routes to a scope of the API. */
export type Routes = (app: Api) => void

/**
 * Gives a scope the manners of the API, then its routes: those that take JSON or nothing, and those that take uploads.
 * `before` adds what is asked of every request first, such as who calls; without it everybody is anonymous.
 */
export async function apiScope(
  app: FastifyInstance,
  settings: ApiSettings,
  routes: { before?: (app: FastifyInstance) => void; json: Routes; uploads: Routes },
): Promise<void> {
  const { errorsStatus, limits, pace } = settings
  if (!app.hasRequestDecorator('problemCode')) app.decorateRequest('problemCode', undefined)
  answerProblems(app, errorsStatus)
  refuseUnknownRoutes(app, errorsStatus)
  const refuseOtherMethods = watchMethods(app)
  answerSafeJson(app)
  validateRequests(app)
  expectBodiesInTime(app, pace, limits.json)
  takeJson(app, limits.json)
  forbidCaching(app)
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = anonymous
    done()
  })
  routes.before?.(app)
  addComponents(app, [Problem])
  routes.json(app.withTypeProvider<TypeBox>())
  await app.register(async (uploads) => {
    takeUploads(uploads, limits.upload)
    routes.uploads(uploads.withTypeProvider<TypeBox>())
  })
  refuseOtherMethods()
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks: first argument of every use case. */
    caller: Caller
  }
}
