import type { PublicEntry } from '@signed-registry/verifier/log'
import type { Injected } from '../kernel/service.js'
import type { StandingEntry } from '../log/index.js'
import { Statements } from './statements.js'

/** Has the log say by which key the registry signs statements. */
export class StatementKeyEntry implements StandingEntry {
  static readonly inject = { statements: Statements }

  constructor(private readonly use: Injected<typeof StatementKeyEntry.inject>) {}

  /** With the id of the key, so that another key is another entry. */
  get ref(): string {
    const [, id = ''] = this.use.statements.ownKey?.split('+') ?? []
    return `statementKey ${id}`
  }

  entry(): PublicEntry | undefined {
    const { ownKey } = this.use.statements
    return ownKey === undefined ? undefined : { kind: 'statementKey', verifierKey: ownKey }
  }
}
