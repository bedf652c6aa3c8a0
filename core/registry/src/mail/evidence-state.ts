import type { RenewalProblem, RenewalReport, Told } from '../renewal/index.js'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY
/** An end this near is told of every day. */
const NEAR = 30 * DAY
/** The task runs by the clock: what it said a day ago is a little younger than that now and then. */
const SLACK = HOUR / 2

/** How the proof of signatures stands, as the operator is told. Times are milliseconds. */
export interface EvidenceState {
  /** What has kept the registry from renewing for longer than a day. */
  readonly problem?: RenewalProblem & { readonly since: number }
  /** Signatures whose proof has ended, and when that began; 0 where it cannot be said. */
  readonly ended: number
  readonly endedSince: number
  /** Signatures whose proof has ended or is to be renewed now. */
  readonly due: number
  /** When the next proof ends; 0 where none does. */
  readonly nextEnd: number
  /** Records that began anew since the operator was told last. */
  readonly restarted: RenewalReport['restarted']
}

/** What the operator is to be told now, and what is noted of it. */
export interface OperatorNews {
  readonly kind: 'evidenceEnds' | 'evidenceEnded' | 'evidenceRestarted' | 'evidenceRenewed'
  readonly state: EvidenceState
  readonly told: Told
}

/** Tells what the operator has to know and was not told yet, or not for long enough; `undefined` for nothing. */
export function operatorNews(report: RenewalReport, { toldAt, toldOf }: Told, now: number): OperatorNews | undefined {
  const { hasEnded, restartedAt } = toldOf ?? { hasEnded: false, restartedAt: 0 }
  const state = stateOf(report, restartedAt, now)
  const isTrouble = state.problem !== undefined || state.ended > 0
  if (!isTrouble && state.restarted.length === 0 && toldAt === undefined) return undefined
  const isNew = toldAt === undefined || (state.ended > 0 && !hasEnded)
  const every = state.nextEnd > 0 && state.nextEnd <= now + NEAR ? DAY : WEEK
  const isDue = isNew || toldAt + every - SLACK <= now
  if (isTrouble && !isDue && state.restarted.length === 0) return undefined
  const told = {
    toldAt: isTrouble ? now : undefined,
    toldOf: {
      hasEnded: state.ended > 0,
      restartedAt: Math.max(restartedAt, ...state.restarted.map(({ at }) => at)),
    },
  }
  return { kind: kindOf(state), state, told }
}

function stateOf(report: RenewalReport, restartedAt: number, now: number): EvidenceState {
  const { problem, ended, due, proofs, restarted } = report
  const ends = proofs.map(({ endsAt }) => endsAt)
  return {
    ...(problem !== undefined && problem.since <= now - DAY && { problem }),
    ...{ ended, due },
    endedSince: least(ends.filter((end) => end <= now)),
    nextEnd: least(ends.filter((end) => end > now && Number.isFinite(end))),
    restarted: restarted.filter(({ at }) => at > restartedAt),
  }
}

function kindOf({ problem, ended, restarted }: EvidenceState): OperatorNews['kind'] {
  if (ended > 0) return 'evidenceEnded'
  if (problem !== undefined) return 'evidenceEnds'
  return restarted.length > 0 ? 'evidenceRestarted' : 'evidenceRenewed'
}

const least = (times: readonly number[]): number => (times.length === 0 ? 0 : Math.min(...times))
