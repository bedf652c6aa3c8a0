export { GetStatementKey } from './get-statement-key.js'
export { MakeReport } from './make-report.js'
