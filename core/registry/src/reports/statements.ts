import { createPublicKey, type KeyObject } from 'node:crypto'
import { signNote, verifierKey } from '@signed-registry/verifier'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { reportErrors } from './errors.js'
import { keyName, readStatementKey, StatementKey } from './statement-key.js'

/** What the registry states, under its key and its address. */
export class Statements {
  static readonly inject = { key: StatementKey, site: Site }
  private readonly key: KeyObject | undefined
  private readonly site: Site

  constructor({ key, site }: Injected<typeof Statements.inject>) {
    this.key = readStatementKey(key)
    this.site = site
  }

  /** A signed note with this text; `undefined` in a registry without a statement key. */
  sign(text: string): string | undefined {
    return this.key && signNote(text, keyName(this.site), this.key)
  }

  /** The public key with its name, as verifiers of signed notes take it; throws `statementKeyMissing`. */
  get verifierKey(): string {
    if (this.key === undefined) throw reportErrors.error('statementKeyMissing')
    return verifierKey(keyName(this.site), createPublicKey(this.key))
  }
}
