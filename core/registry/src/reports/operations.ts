export { GetStatementKey } from './get-statement-key.js'
export { MakeReport } from './make-report.js'
export type { MakeReportRequest, NoteTimeStamp, PublicStatementKey, SignedReport } from './schema.js'
