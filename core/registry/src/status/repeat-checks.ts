import { Check, type Finding, findingsOf } from '../kernel/check.js'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { SqlCallStatistics } from './call-statistics.js'
import { type CheckState, CheckStates } from './check-states.js'
import { StatusLimits } from './limits.js'

const MINUTE = 60_000
const minuteOf = (at: number) => Math.floor(at / MINUTE)

/** What is known before a look, and what ends it. */
interface Look {
  readonly before: CheckState | undefined
  readonly now: number
  readonly stopping: AbortSignal | undefined
}

/** Asks the services that all hosts share how they are, when nobody used them lately: `CHECK_MINUTES` says how often. */
export class RepeatChecks {
  static readonly task = { name: 'repeatChecks', schedule: '* * * * *' }
  static readonly inject = {
    checks: Check,
    states: CheckStates,
    statistics: SqlCallStatistics,
    clock: Clock,
    logger: Logger,
    limits: StatusLimits,
  }

  constructor(private readonly use: Injected<typeof RepeatChecks.inject>) {}

  /** When the registry stops, checks under way are aborted and not waited for, and what they find is discarded. */
  async run(stopping?: AbortSignal): Promise<void> {
    const { checks, states, clock, limits } = this.use
    if (limits.checkEveryMs <= 0) return
    const now = clock.now()
    const known = await states.all()
    const shared = checks.filter(({ isRequired }) => !isRequired)
    const due = [...new Set(shared.map(({ name }) => name))].filter((name) => this.isDue(known.get(name), now))
    const called = (name: string) => shared.filter((one) => one.name === name)
    await Promise.all(due.map((name) => this.look(name, called(name), { before: known.get(name), now, stopping })))
  }

  /**
   * By whole minutes, as tasks run: another host that comes a moment later, or whose clock is a little behind, asks nothing. What
   * has just begun to fail is asked again each minute.
   */
  private isDue(before: CheckState | undefined, now: number): boolean {
    if (before === undefined) return true
    const passed = minuteOf(now) - minuteOf(before.knownAt)
    const { checkEveryMs } = this.use.limits
    const isNewFault = before.state === 'failed' && now - before.since < checkEveryMs
    // Less than none where a clock was set back.
    return passed < -1 || passed >= (isNewFault ? 1 : minuteOf(checkEveryMs))
  }

  private async look(name: string, checks: readonly Check[], { before, now, stopping }: Look): Promise<void> {
    const { states } = this.use
    const usedAt = await this.lastUse(checks, before, now)
    const stateSince = (state: CheckState['state']) => (before?.state === state ? before.since : now)
    if (usedAt !== undefined)
      return this.keep({ name, state: 'good', since: stateSince('good'), knownAt: usedAt, goodAt: usedAt }, before, [])
    const findings = (await Promise.all(checks.map((one) => findingsOf(one, stopping)))).flat()
    if (stopping?.aborted) return
    if (findings.length === 0) return states.forget(name)
    const hasFailed = findings.some(({ state }) => state === 'fail')
    const goodAt = hasFailed ? before?.goodAt : now
    const state = hasFailed ? 'failed' : 'good'
    await this.keep({ name, state, since: stateSince(state), knownAt: now, goodAt }, before, findings)
  }

  /**
   * When the service was used with success since it was looked at, if that was lately; what failed since is to be asked. Uses are
   * counted by minutes: one in the minute of a look may have come before it, so it clears no failure.
   */
  private async lastUse(
    checks: readonly Check[],
    before: CheckState | undefined,
    now: number,
  ): Promise<number | undefined> {
    const [service, ...more] = checks.map((check) => check.service)
    if (service === undefined || more.length > 0) return undefined
    const usedAt = await this.use.statistics.lastSuccess(service)
    if (usedAt === undefined || usedAt > now) return undefined
    if (minuteOf(now) - minuteOf(usedAt) > minuteOf(this.use.limits.checkEveryMs)) return undefined
    if (before === undefined) return usedAt
    const passed = minuteOf(usedAt) - minuteOf(before.knownAt)
    if (passed < (before.state === 'failed' ? 1 : 0)) return undefined
    return Math.max(usedAt, before.knownAt)
  }

  private async keep(state: CheckState, before: CheckState | undefined, findings: readonly Finding[]): Promise<void> {
    await this.use.states.keep(state)
    if (state.state === (before?.state ?? 'good')) return
    const found = findings.filter((one) => one.state === 'fail').map(({ text }) => text)
    if (state.state === 'failed') this.use.logger.warn('A check fails', { check: state.name, found })
    else this.use.logger.info('A check is good again', { check: state.name })
  }
}
