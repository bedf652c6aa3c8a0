import type { Ledger } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { type Admission, admitCallers } from './admission.js'
import type { ErrorsStatus } from './error-status.js'
import { finishAnswers, finishOwnAnswers } from './http/answers.js'
import { type Api, addComponents, type TypeBox } from './http/components.js'
import { acceptForms } from './http/form.js'
import { acceptJson } from './http/json-body.js'
import { waitForMemory } from './http/large-json.js'
import { answerProblems, Problem } from './http/problem.js'
import { serializeAnswers, validateRequests } from './http/schemas.js'
import { refuseUnknownRoutes, watchMethods } from './http/unknown-routes.js'
import { acceptStreams, acceptUploads } from './http/upload.js'
import { Exchanges, keepPace } from './limits/exchanges.js'
import { defaultPace, type Pace } from './limits/pace.js'
import { spoolFolder } from './limits/spooled-body.js'
import { dropHeldOnClose, type HeldCallsMode } from './procedures/held-requests.js'

/** How the API treats requests. */
export interface ApiSettings {
  readonly errorsStatus: ErrorsStatus
  readonly heldCalls: HeldCallsMode
  /** Largest bodies, in bytes. */
  readonly limits: { readonly json: number; readonly upload: number }
  readonly pace: Pace
  /** Folder that large JSON from anonymous callers is spooled to; it is read into memory unless given. */
  readonly spoolFolder?: string | undefined
  /** Bytes to leave free on that disk; when it has fewer, bodies are read into memory instead. 1 GiB unless given. */
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

/** The routes of a scope of the API, by the bodies that they accept: JSON or none, forms too, uploads, bytes of any type. */
interface Served {
  /** How callers and the pages they call from are identified, for the prefix of the scope; without it every caller is anonymous. */
  admission?(prefix: string): Admission
  readonly json: Routes
  readonly forms?: Routes
  readonly uploads: Routes
  readonly streams?: Routes
}

/** Sets up error answers, parsers and limits of the API in a scope, then its routes. The ledger counts what callers use. */
export async function apiScope(
  app: FastifyInstance,
  { errorsStatus, limits, pace, heldCalls, spoolFolder: folder, spoolReserve = 2 ** 30 }: ApiSettings,
  ledger: Ledger,
  routes: Served,
): Promise<void> {
  if (!app.hasRequestDecorator('problemCode')) app.decorateRequest('problemCode', undefined)
  if (!app.hasDecorator('exchanges')) watchExchanges(app, pace)
  answerProblems(app, errorsStatus)
  refuseUnknownRoutes(app, errorsStatus)
  const refuseOtherMethods = watchMethods(app)
  validateRequests(app)
  serializeAnswers(app)
  acceptJson(app, limits.json)
  admitCallers(app, routes.admission?.(app.prefix))
  finishAnswers(app)
  finishOwnAnswers(app, ledger)
  waitForMemory(app, ledger, pace, folder === undefined ? undefined : spoolFolder(folder, spoolReserve))
  dropHeldOnClose(app, heldCalls, ledger)
  addComponents(app, [Problem])
  routes.json(app.withTypeProvider<TypeBox>())
  await app.register(async (forms) => {
    acceptForms(forms, limits.upload, ledger)
    validateRequests(forms)
    serializeAnswers(forms)
    routes.forms?.(forms.withTypeProvider<TypeBox>())
  })
  await app.register(async (uploads) => {
    acceptUploads(uploads, limits.upload, ledger)
    serializeAnswers(uploads)
    routes.uploads(uploads.withTypeProvider<TypeBox>())
  })
  await app.register(async (streams) => {
    acceptStreams(streams, ledger)
    serializeAnswers(streams)
    routes.streams?.(streams.withTypeProvider<TypeBox>())
  })
  refuseOtherMethods()
}

/** For an application that is not ours, which does not track its exchanges yet. */
function watchExchanges(app: FastifyInstance, pace: Pace): void {
  const exchanges = new Exchanges(pace)
  keepPace(app, exchanges)
  app.addHook('onRequest', (request, reply, done) => exchanges.begin(request.raw, reply.raw, done))
}
