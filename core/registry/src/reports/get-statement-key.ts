import { anyone } from '../identity/index.js'
import { operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { PublicStatementKey } from './schema.js'
import { Statements } from './statements.js'

/** Answers the public key by which the registry's signed notes are verified. */
export class GetStatementKey {
  static readonly operation = operation({
    id: 'getStatementKey',
    group: 'utility',
    at: 'GET /statementKey',
    who: anyone(),
    summary: 'Public key of what the registry signs itself',
    description: 'Keep it beside the reports: whoever doubts the registry takes it from elsewhere.',
    answer: PublicStatementKey,
    refuses: ['statementKeyMissing'],
  })
  static readonly inject = { statements: Statements }

  constructor(private readonly use: Injected<typeof GetStatementKey.inject>) {}

  execute(): PublicStatementKey {
    return { verifierKey: this.use.statements.verifierKey }
  }
}
