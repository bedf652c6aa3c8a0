import { createPrivateKey } from 'node:crypto'
import type { TreeHead } from '@signed-registry/verifier/log'
import type { Injected } from '../kernel/service.js'
import { type ChangedLogKey, ChangeLogKey } from './change-log-key.js'
import { LogSettings } from './log-settings.js'
import { type LogReport, LogState } from './log-state.js'
import { ResumeWitness } from './resume-witness.js'
import { SucceedLog, type Succession } from './succeed-log.js'

/** What operators do with the log of a registry, also while it runs. */
export class OperateLog {
  static readonly inject = {
    settings: LogSettings,
    state: LogState,
    succeed: SucceedLog,
    change: ChangeLogKey,
    witness: ResumeWitness,
  }

  constructor(private readonly use: Injected<typeof OperateLog.inject>) {}

  report(): Promise<LogReport> {
    return this.use.state.report()
  }

  /** Begins a new log after one that can be signed no more. Rejects with a `TypeError` where the log can go on. */
  async resume(): Promise<Succession> {
    this.requireLog()
    return this.use.succeed.run()
  }

  /** Changes the key of the log to this one, Ed25519 in PEM. Rejects with a `TypeError` where the present key cannot sign. */
  async changeKey(next: string): Promise<ChangedLogKey> {
    this.requireLog()
    return this.use.change.run(createPrivateKey(next))
  }

  /**
   * Lets all hosts cosign a log of others again as a witness, after their database was restored: from the last tree that was
   * cosigned, which is answered; `undefined` where nothing was to be done.
   */
  resumeWitness(origin: string): Promise<TreeHead | undefined> {
    return this.use.witness.of(origin)
  }

  private requireLog(): void {
    if (!this.use.settings.isOn) throw new TypeError('This registry keeps no log')
  }
}
