import { noteErrors } from '@signed-registry/verifier'
import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provide, provideValue } from '../kernel/service.js'
import { StandingEntry } from '../log/index.js'
import { reportErrors } from './errors.js'
import { ReportLimits } from './limits.js'
import { LoggedSignatures } from './logged-signatures.js'
import { NoteStamps, StampBudget } from './note-stamps.js'
import * as operations from './operations.js'
import { StatementKeyEntry } from './statement-key-entry.js'
import { noStatementKey, StatementKey, Statements } from './statements.js'

export const reportsArea = area({
  name: 'reports',
  errors: [noteErrors, reportErrors],
  provides: [
    provideLimits(ReportLimits),
    provideValue(StatementKey, noStatementKey),
    provide(StandingEntry, StatementKeyEntry),
  ],
  services: [LoggedSignatures, NoteStamps, StampBudget, Statements],
  operations: Object.values(operations),
})
