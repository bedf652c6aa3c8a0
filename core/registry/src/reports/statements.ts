import { createPublicKey } from 'node:crypto'
import { signNote, verifierKey } from '@signed-registry/verifier'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { reportErrors } from './errors.js'
import { keyName, StatementKey } from './statement-key.js'

/** What the registry states, under its key and its address. */
export class Statements {
  static readonly inject = { key: StatementKey, site: Site }

  constructor(private readonly use: Injected<typeof Statements.inject>) {}

  /** A signed note with this text; `undefined` in a registry without a statement key. */
  sign(text: string): string | undefined {
    const { key, site } = this.use
    return key.key && signNote(text, keyName(site), key.key)
  }

  /** The public key with its name, as verifiers of signed notes take it; throws `statementKeyMissing`. */
  get verifierKey(): string {
    const { key, site } = this.use
    if (key.key === undefined) throw reportErrors.error('statementKeyMissing')
    return verifierKey(keyName(site), createPublicKey(key.key))
  }
}
