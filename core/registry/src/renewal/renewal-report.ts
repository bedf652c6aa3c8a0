import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import type { Readiness, ReadinessCheck } from '../kernel/readiness.js'
import type { Injected } from '../kernel/service.js'
import { BatchStore } from './batch-store.js'
import { RenewalSettings } from './renewal-settings.js'
import { RenewalState } from './renewal-state.js'
import type { RenewalFigures, RenewalProblem } from './renewal-tables.js'

const DAY_MS = 24 * 60 * 60_000

/** How the renewal of evidence is getting on. Times are milliseconds. */
export interface RenewalReport extends RenewalFigures {
  readonly isOn: boolean
  readonly leadMs: number
  /** Signatures that are in no batch yet. */
  readonly waiting: number
  /** Signatures whose proof ends within `leadMs`, and those whose proof has ended. */
  readonly due: number
  readonly ended: number
  /** The tree that is being made: how many signatures of its batch are in it. */
  readonly hashing: { readonly batch: number; readonly hashed: number; readonly of: number } | undefined
  readonly requestedAt: number | undefined
  /** When the last run ended. */
  readonly doneAt: number | undefined
  readonly problem: (RenewalProblem & { readonly since: number }) | undefined
  /** Batches whose records began anew, since what they had proves nothing any more. */
  readonly restarted: readonly {
    readonly batch: number
    readonly at: number
    readonly because: string
    readonly signatures: number
  }[]
}

/** Tells how renewal is getting on, without verifying anything: as the last run has found it. */
export class ReportRenewal {
  static readonly inject = {
    settings: RenewalSettings,
    batches: BatchStore,
    state: RenewalState,
    database: Database,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof ReportRenewal.inject>) {}

  /** Whether anything is renewed at all. */
  get isOn(): boolean {
    return this.use.settings.isOn
  }

  async report(): Promise<RenewalReport> {
    const { settings, clock, state } = this.use
    const { figures = NO_FIGURES, problem, problemSince, ...times } = await state.read()
    const batches = await this.use.batches.all()
    const { isOn, leadMs } = settings
    const now = clock.now()
    const until = (time: number) =>
      figures.proofs.filter(({ endsAt }) => endsAt <= time).reduce((so, { signatures }) => so + signatures, 0)
    return {
      ...{ isOn, leadMs, ...figures, requestedAt: times.requestedAt, doneAt: times.doneAt },
      waiting: await this.waiting(batches.at(-1)?.lastSignId ?? 0),
      due: until(now + leadMs),
      ended: until(now),
      hashing: await this.hashing(),
      problem: problem && { ...problem, since: problemSince ?? now },
      restarted: batches.flatMap(({ batch, lostAt, lostFor = '', members }) =>
        lostAt === undefined ? [] : [{ batch, at: lostAt, because: lostFor, signatures: members }],
      ),
    }
  }

  private async waiting(lastSignId: number): Promise<number> {
    const [row] = await this.use.database.rows('select count(*) as n from registry_signatures where sign_id > ?', [
      lastSignId,
    ])
    return Number(row?.n)
  }

  private async hashing(): Promise<RenewalReport['hashing']> {
    const sql = `select c.batch as batch, c.hashed as hashed, b.members as members from registry_renewal_chains c
      join registry_renewal_batches b on b.batch = c.batch where c.root is null and c.chain > 0 order by c.batch limit 1`
    const [row] = await this.use.database.rows(sql, [])
    return row && { batch: Number(row.batch), hashed: Number(row.hashed), of: Number(row.members) }
  }
}

const NO_FIGURES: RenewalFigures = { proofs: [], gathered: 0, renewed: 0, batches: 0 }

/** Tells monitoring that renewal needs somebody: it fails for a day, or what should have been renewed long ago was not. What has ended already nobody can mend. */
export class RenewalReadiness implements ReadinessCheck {
  static readonly inject = { settings: RenewalSettings, state: RenewalState, clock: Clock }
  readonly name = 'renewal'

  constructor(private readonly use: Injected<typeof RenewalReadiness.inject>) {}

  async check(): Promise<Readiness> {
    const { settings, state, clock } = this.use
    if (!settings.isOn) return 'ok'
    // A database that does not answer fails a check of its own.
    const { problemSince, figures } = (await state.read().catch(() => undefined)) ?? FAILED
    const now = clock.now()
    const isLate = figures?.proofs.some(({ endsAt }) => endsAt > now && endsAt <= now + settings.leadMs / 2) ?? false
    return isLate || (problemSince !== undefined && problemSince <= now - DAY_MS) ? 'stale' : 'ok'
  }
}

const FAILED = { problemSince: 0, figures: undefined }
