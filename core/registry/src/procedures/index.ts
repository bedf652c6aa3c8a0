export { AppDone, DescribeToApp, GiveToApp, GiveToSigner, TakeFromApp } from './app-operations.js'
export { type AppProof, AppSide } from './app-side.js'
export { proceduresArea } from './area.js'
export { BeginDocumentProcedure, BeginDocumentProcedureRequest } from './begin-document-procedure.js'
export { BeginPackageProcedure, BeginPackageProcedureRequest } from './begin-package-procedure.js'
export { BeginRawProcedure, BeginRawProcedureRequest } from './begin-raw-procedure.js'
export type { KeptBody } from './bodies.js'
export { CancelRawProcedure } from './cancel-raw-procedure.js'
export { CancelDocumentProcedure, DocumentProcedure, GetDocumentProcedure } from './document-procedure.js'
export { ExpireProcedures, ForgetProcedures } from './end-procedures.js'
export { procedureErrors } from './errors.js'
export type { AppDocuments, HeldConnection, Origin } from './exchange.js'
export { FindProcedure } from './find-procedure.js'
export { GetRawResult } from './get-raw-result.js'
export { GetRawState } from './get-raw-state.js'
export { type HeldCall, HeldCalls, type HeldSide } from './held-calls.js'
export { HeldCallsByDirectory } from './held-calls-by-directory.js'
export { ProcedureLimits } from './limits.js'
export {
  type AnnouncedProcedure,
  type Announcement,
  MobileApp,
  type Relay,
  type RelayedDocuments,
  RelayRefusal,
} from './mobile-app.js'
export { CancelPackageProcedure, GetPackageProcedure, PackageProcedure } from './package-procedure.js'
export { Peers } from './peers.js'
export { BeginPhoneLogin, FinishPhoneLogin, GetPhoneLogin, type PhoneLoginVisit } from './phone-login.js'
export type { PhoneRequest } from './phones.js'
export { Relays } from './relays.js'
export {
  AppDescription,
  BegunProcedure,
  BegunRawProcedure,
  CanceledProcedure,
  ProcedureState,
  TakenData,
} from './schema.js'
export { SendRawData } from './send-raw-data.js'
