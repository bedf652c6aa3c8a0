import { noteErrors } from '@signed-registry/verifier'
import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { reportErrors } from './errors.js'
import { ReportLimits } from './limits.js'
import { NoteStamps, StampBudget } from './note-stamps.js'
import * as operations from './operations.js'
import { noStatementKey, StatementKey, Statements } from './statements.js'

export const reportsArea = area({
  name: 'reports',
  errors: [noteErrors, reportErrors],
  provides: [provideLimits(ReportLimits), provideValue(StatementKey, noStatementKey)],
  services: [NoteStamps, StampBudget, Statements],
  operations: Object.values(operations),
})
