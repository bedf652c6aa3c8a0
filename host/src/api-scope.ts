import { anonymous, type Caller, type Ledger } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { forbidCaching } from './browser/security-headers.js'
import type { ErrorsStatus } from './error-status.js'
import { type Api, addComponents, type TypeBox } from './http/components.js'
import { refuseCodings } from './http/content-coding.js'
import { isForm, takeForms } from './http/form.js'
import { takeJson } from './http/json-body.js'
import { answerProblems, Problem } from './http/problem.js'
import { answerSafeJson } from './http/safe-json.js'
import { serializeAnswers } from './http/serialization.js'
import { refuseOtherWords, refuseUnknownRoutes, watchMethods } from './http/unknown-routes.js'
import { leaveBodies, takeUploads } from './http/upload.js'
import { validateRequests } from './http/validation.js'
import { waitForMemory } from './http/wait-for-memory.js'
import { countUploads } from './limits/count-uploads.js'
import { keepPace } from './limits/exchanges.js'
import { defaultPace, type Pace } from './limits/pace.js'
import { spoolFolder } from './limits/spooled-body.js'
import { type HeldCallsMode, letGoOnClose } from './procedures/held-requests.js'

/** How the API treats requests. */
export interface ApiSettings {
  readonly errorsStatus: ErrorsStatus
  readonly heldCalls: HeldCallsMode
  /** Largest bodies, in bytes. */
  readonly limits: { readonly json: number; readonly upload: number }
  readonly pace: Pace
  /** A folder on a disk, into which large JSON of strangers comes first; it comes into memory unless given. */
  readonly spoolFolder?: string | undefined
  /** Bytes that stay free on its disk: what strangers send comes into memory instead. 1 GiB unless given. */
  readonly spoolReserve?: number | undefined
}

export const defaultApiSettings: ApiSettings = {
  errorsStatus: 'semantic',
  heldCalls: 'silent',
  limits: { json: 10 * 2 ** 20, upload: 4 * 2 ** 30 },
  pace: defaultPace,
}

/** Adds routes to a scope of the API. */
export type Routes = (app: Api) => void

/**
 * Gives a scope the manners of the API, then its routes: those that take JSON or nothing, those that take
 * forms too, those that take uploads, and those that take bytes of any type.
 * The ledger counts what callers take. `before` adds what is asked of every request first, such as who calls; without it everybody is anonymous.
 */
export async function apiScope(
  app: FastifyInstance,
  settings: ApiSettings,
  ledger: Ledger,
  routes: { before?: (app: FastifyInstance) => void; json: Routes; forms?: Routes; uploads: Routes; streams?: Routes },
): Promise<void> {
  const { errorsStatus, limits } = settings
  if (!app.hasRequestDecorator('problemCode')) app.decorateRequest('problemCode', undefined)
  answerProblems(app, errorsStatus)
  refuseUnknownRoutes(app, errorsStatus)
  const refuseOtherMethods = watchMethods(app)
  answerSafeJson(app)
  validateRequests(app)
  serializeAnswers(app)
  keepPace(app, settings.pace)
  takeJson(app, limits.json)
  forbidCaching(app)
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = anonymous
    done()
  })
  routes.before?.(app)
  refuseOtherWords(app)
  refuseCodings(app)
  const { spoolFolder: folder, spoolReserve = 2 ** 30 } = settings
  waitForMemory(app, ledger, settings.pace, folder === undefined ? undefined : spoolFolder(folder, spoolReserve))
  letGoOnClose(app, settings.heldCalls, ledger)
  addComponents(app, [Problem])
  routes.json(app.withTypeProvider<TypeBox>())
  await app.register(async (forms) => {
    countUploads(forms, ledger, isForm)
    takeForms(forms, limits.upload)
    validateRequests(forms)
    serializeAnswers(forms)
    routes.forms?.(forms.withTypeProvider<TypeBox>())
  })
  await app.register(async (uploads) => {
    countUploads(uploads, ledger)
    takeUploads(uploads, limits.upload)
    serializeAnswers(uploads)
    routes.uploads(uploads.withTypeProvider<TypeBox>())
  })
  await app.register(async (streams) => {
    leaveBodies(streams, ledger)
    serializeAnswers(streams)
    routes.streams?.(streams.withTypeProvider<TypeBox>())
  })
  refuseOtherMethods()
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks: first argument of every use case. */
    caller: Caller
  }
}
