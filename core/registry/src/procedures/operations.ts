export { type AppDone, DescribeToApp, GiveToApp, GiveToSigner, TakeFromApp } from './app-operations.js'
export { BeginDocumentProcedure, type BeginDocumentProcedureRequest } from './begin-document-procedure.js'
export { BeginPackageProcedure, type BeginPackageProcedureRequest } from './begin-package-procedure.js'
export { BeginRawProcedure, type BeginRawProcedureRequest } from './begin-raw-procedure.js'
export { CancelRawProcedure } from './cancel-raw-procedure.js'
export { CancelDocumentProcedure, type DocumentProcedure, GetDocumentProcedure } from './document-procedure.js'
export { GetRawResult } from './get-raw-result.js'
export { GetRawState } from './get-raw-state.js'
export { CancelPackageProcedure, GetPackageProcedure, type PackageProcedure } from './package-procedure.js'
export { BeginPhoneLogin, FinishPhoneLogin, GetPhoneLogin, type PhoneLoginVisit } from './phone-login.js'
export type {
  AppDescription,
  BegunProcedure,
  BegunRawProcedure,
  CanceledProcedure,
  ProcedureState,
  TakenData,
} from './schema.js'
export { SendRawData } from './send-raw-data.js'
