import type { AnyOperation, RegisteredOperation } from '@signed-registry/core'
import { Authenticate } from '@signed-registry/core/auth'
import { GetDocument, GetDocumentData } from '@signed-registry/core/documents'
import {
  BuildDocumentEvidence,
  GetDocumentEvidence,
  GetPackageEvidence,
  GetSignatureInclusion,
} from '@signed-registry/core/evidence'
import { AddCheckpoint, GetWitnessedCheckpoint } from '@signed-registry/core/log'
import {
  BeginPhoneLogin,
  BeginRawProcedure,
  DescribeToApp,
  FinishPhoneLogin,
  GetDocumentProcedure,
  GetPackageProcedure,
  GetPhoneLogin,
  GetRawResult,
  GetRawState,
  GiveToApp,
  GiveToSigner,
  SendRawData,
  TakeFromApp,
} from '@signed-registry/core/procedures'
import { serveDocumentData } from './downloads/serve-document-data.js'
import { serveBuiltEvidence, serveDocumentEvidence, servePackageEvidence } from './downloads/serve-evidence.js'
import { serveInclusion } from './downloads/serve-inclusion.js'
import { serveDocument } from './http/serve-document.js'
import type { Route, Serve } from './http/serve-operations.js'
import { serveAddCheckpoint, serveWitnessedCheckpoint } from './log/serve-witness.js'
import { serveDescription, serveDocumentsToApp, serveDocumentsToSigner, serveReturned } from './procedures/serve-app.js'
import { serveRaw, serveRawData, serveRawResult } from './procedures/serve-raw.js'
import { serveState } from './procedures/serve-state.js'
import { serveAuthentication } from './session/serve-authentication.js'
import { servePhoneLogin, visitOf } from './session/serve-phone-login.js'

/** Handlers of operations that need more of HTTP: cookies, ranges, held requests, events, the protocol of the app. */
const CUSTOM_HANDLERS: ReadonlyMap<AnyOperation, Serve> = new Map<AnyOperation, Serve>([
  [Authenticate, serveAuthentication],
  [BeginPhoneLogin, servePhoneLogin(BeginPhoneLogin)],
  [GetPhoneLogin, serveState(GetPhoneLogin, visitOf)],
  [FinishPhoneLogin, servePhoneLogin(FinishPhoneLogin)],
  [GetDocument, serveDocument],
  [GetDocumentData, serveDocumentData],
  [GetDocumentEvidence, serveDocumentEvidence],
  [BuildDocumentEvidence, serveBuiltEvidence],
  [GetPackageEvidence, servePackageEvidence],
  [GetSignatureInclusion, serveInclusion],
  [GetDocumentProcedure, serveState(GetDocumentProcedure)],
  [GetPackageProcedure, serveState(GetPackageProcedure)],
  [BeginRawProcedure, serveRaw],
  [SendRawData, serveRawData],
  [GetRawResult, serveRawResult],
  [GetRawState, serveState(GetRawState)],
  [DescribeToApp, serveDescription],
  [GiveToApp, serveDocumentsToApp],
  [GiveToSigner, serveDocumentsToSigner],
  [TakeFromApp, serveReturned],
  [AddCheckpoint, serveAddCheckpoint],
  [GetWitnessedCheckpoint, serveWitnessedCheckpoint],
])

/** The routes of all operations below `/api`: each operation declares its own. */
export const routesOf = (operations: readonly RegisteredOperation[]): Route[] =>
  operations.flatMap((operation) => {
    const serve = CUSTOM_HANDLERS.get(operation.Class)
    const route = (at: string) => {
      const [method = '', path = ''] = at.split(' ')
      return { method, path: path === '/' ? '' : path, operation, ...(serve && { serve }) }
    }
    const aliases = operation.aliases ?? []
    return [
      route(operation.at),
      ...aliases.map(({ at, filledIn }) => ({ ...route(at), isAlias: true as const, ...(filledIn && { filledIn }) })),
    ]
  })
