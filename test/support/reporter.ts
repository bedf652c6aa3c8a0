import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import Mocha, { type Hook, type MochaOptions, type Runner, type Suite, type Test } from 'mocha'

const { EVENT_HOOK_END, EVENT_SUITE_END, EVENT_TEST_END } = Mocha.Runner.constants
const { EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants
const { Base } = Mocha.reporters

const compiled = fileURLToPath(new URL('..', import.meta.url))
const SLOWEST = 5

/** The result of one file. */
interface Tally {
  readonly file: string
  passed: number
  failed: number
  skipped: number
  /** Time of its tests and hooks. */
  milliseconds: number
}

/** One line for each file when it is done; at the end the slowest files, every failure in full, and a line of sums. */
export default class Reporter extends Base {
  readonly #started = performance.now()
  readonly #done: Tally[] = []
  #current: Tally | undefined

  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options)
    runner.on(EVENT_TEST_PASS, (test) => this.#count(test, 'passed', 1))
    runner.on(EVENT_TEST_FAIL, (test) => this.#count(test, 'failed', 1))
    runner.on(EVENT_TEST_PENDING, (test) => this.#count(test, 'skipped', 1))
    runner.on(EVENT_TEST_END, (test) => this.#count(test, 'milliseconds', test.duration))
    runner.on(EVENT_HOOK_END, (hook) => this.#count(hook, 'milliseconds', hook.duration))
    // In parallel the events of a file come all at once and end with its root suite.
    runner.on(EVENT_SUITE_END, (suite: Suite) => suite.root && this.#finish())
  }

  /** Called when all is over; files that could not be loaded are told after the end of the run, which then comes again. */
  override done(failures: number, end?: (failures: number) => void): void {
    this.#sum(failures)
    end?.(failures)
  }

  #count({ file }: Test | Hook, what: Exclude<keyof Tally, 'file'>, by: number | undefined): void {
    const name = file === undefined ? (this.#current?.file ?? 'the run') : nameOf(file)
    if (this.#current?.file !== name) this.#finish()
    this.#current ??= { file: name, passed: 0, failed: 0, skipped: 0, milliseconds: 0 }
    this.#current[what] += by ?? 0
  }

  #finish(): void {
    const tally = this.#current
    this.#current = undefined
    if (tally === undefined || tally.passed + tally.failed + tally.skipped === 0) return
    this.#done.push(tally)
    const { file, passed, failed, skipped, milliseconds } = tally
    const mark = failed > 0 ? Base.color('fail', '✗') : Base.color('checkmark', '✓')
    const notes = [failed > 0 && Base.color('fail', `${failed} failed`), skipped > 0 && `${skipped} skipped`]
    const counts = `${String(passed).padStart(5)} ${seconds(milliseconds).padStart(8)}`
    Base.consoleLog(`${mark} ${file.padEnd(52)}${counts}  ${notes.filter(Boolean).join(', ')}`.trimEnd())
  }

  /** More failures than tests failed where the end of the run failed itself. */
  #sum(failures: number): void {
    this.#finish()
    const sum = (what: 'passed' | 'failed' | 'skipped') => this.#done.reduce((total, tally) => total + tally[what], 0)
    const slowest = this.#done.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST)
    const named = slowest.map(({ file, milliseconds }) => `${file} ${seconds(milliseconds)}`)
    Base.consoleLog(`\nSlowest: ${named.join(', ')}`)
    if (this.failures.length > 0) Base.list(this.failures)
    const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
    const took = seconds(performance.now() - this.#started)
    Base.consoleLog(`\n${sum('passed')} passed, ${Math.max(failures, sum('failed'))} failed${skipped} in ${took}`)
  }
}

const nameOf = (file: string): string => relative(compiled, file).replace(/(\.(slow|sweep))?(\.test)?\.js$/, '')

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
