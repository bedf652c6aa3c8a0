import { plain } from '@signed-registry/verifier/command'
import type { Console } from '../console.js'
import { JsonList } from './json-list.js'

/** What an audit found: what is `wrong`, what is `unread` here or in another log and may be anything, a `notice` to be thought of. */
export interface Finding {
  readonly code: string
  readonly weight: 'wrong' | 'unread' | 'notice'
  /** What it is, and what to do next, in one line. */
  readonly text: string
  /** Index of the entry that it is about. */
  readonly index?: number
  /** What else programs want to know of it. */
  readonly facts?: object
}

const MARGIN = 12
const NAMES = { wrong: 'WRONG', unread: 'UNREAD', notice: 'note' } as const
/** What is wrong stays so, whatever else was not read. */
const EXIT_CODES = { proved: 0, wrong: 1, unread: 3 } as const

/** Tells an audit as it goes on, or as one JSON object at its end. */
export class AuditReport {
  private readonly said: Record<string, unknown> = {}
  private readonly rounds: object[] = []
  /** What is said of the round that is under way, or of the audit. */
  private facts = this.said
  private readonly entries = new JsonList()
  private readonly findings = new JsonList()
  private readonly counts = { wrong: 0, unread: 0, notice: 0 }

  constructor(
    private readonly console: Pick<Console, 'out' | 'err'>,
    private readonly isJson: boolean,
  ) {}

  /** A fact about the log: a line for people, and its parts for programs. */
  say(name: string, text: string, facts: unknown): void {
    this.facts[name] = facts
    this.line(name, text)
  }

  /** Does a part of the audit that may come several times: JSON has what each one says in the list `keyChanges`. */
  async keyChange<T>(part: () => Promise<T>): Promise<T> {
    this.facts = {}
    this.rounds.push(this.facts)
    try {
      return await part()
    } finally {
      this.facts = this.said
    }
  }

  /** Tells programs that the audit ended early; people are told by whom it reaches. */
  fail(error: unknown): void {
    if (this.isJson) this.tell('failed', { error: error instanceof Error ? error.message : String(error) })
  }

  /** An entry that everybody can read. */
  entry(index: number, text: string, facts: object): void {
    if (this.isJson) this.entries.add({ index, entry: facts })
    this.line('', `#${index} ${text}`)
  }

  find(finding: Finding): void {
    if (this.isJson) this.findings.add(finding)
    this.counts[finding.weight] += 1
    this.line(NAMES[finding.weight], finding.text)
  }

  /** How far long work is. */
  progress(text: string): void {
    this.console.err(`${text}\n`)
  }

  /** Tells the outcome; answers the exit code. */
  end(): number {
    const { wrong, unread } = this.counts
    const outcome = wrong > 0 ? 'wrong' : unread > 0 ? 'unread' : 'proved'
    const lines = [
      ...(wrong > 0 ? [`Something is wrong: ${wrong}.`] : []),
      ...(unread > 0 ? [`Something is not proved: ${unread}.`] : []),
    ]
    if (this.isJson) this.tell(outcome)
    else this.console.out(`\n${lines.join('\n') || 'Everything is proved.'}\n`)
    return EXIT_CODES[outcome]
  }

  private tell(outcome: string, more: object = {}): void {
    const { said, rounds: keyChanges, entries, findings } = this
    const told = {
      outcome,
      ...more,
      ...said,
      ...(keyChanges.length > 0 && { keyChanges }),
      publicEntries: entries.kept,
      findings: findings.kept,
      leftOff: { entries: entries.leftOff, findings: findings.leftOff },
    }
    this.console.out(`${JSON.stringify(told)}\n`)
  }

  /** Texts of a log are those of somebody else. */
  private line(name: string, text: string): void {
    if (!this.isJson) this.console.out(`${name.padEnd(MARGIN)}${plain(text)}\n`)
  }
}
