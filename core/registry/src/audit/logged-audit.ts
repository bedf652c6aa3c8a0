import type { Injected } from '../kernel/service.js'
import type { LeafField, LoggedFacts, SaltedKind, StoredFact } from '../log/index.js'
import { sealFact, settingsFact } from './audit-facts.js'
import { AuditStore } from './audit-store.js'
import { AuditSeals } from './seals.js'

/** Reads what was logged of seals and changes of settings again. */
export class LoggedAudit implements LoggedFacts {
  static readonly inject = { audit: AuditStore, seals: AuditSeals }
  readonly kinds = ['seal', 'settings'] as const

  constructor(private readonly use: Injected<typeof LoggedAudit.inject>) {}

  async read(kind: SaltedKind, refs: readonly string[]): Promise<ReadonlyMap<string, readonly LeafField[]>> {
    const ids = refs.map(Number)
    const facts =
      kind === 'seal'
        ? (await this.use.seals.at(ids)).map(sealFact)
        : (await this.use.audit.logged(ids)).map(settingsFact)
    return new Map(facts.map(({ ref, fields }) => [ref, fields]))
  }

  stored(kind: SaltedKind): AsyncIterable<readonly StoredFact[]> {
    const { seals, audit } = this.use
    return (kind === 'seal' ? seals : audit).stored()
  }
}
