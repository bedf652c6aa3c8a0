import { plain } from '@signed-registry/verifier/command'
import type { Console } from '../console.js'

/** What an audit found: `wrong` makes it fail, a `notice` is to be thought of. */
export interface Finding {
  readonly code: string
  readonly weight: 'wrong' | 'notice'
  /** What it is, and what to do next, in one line. */
  readonly text: string
  /** Index of the entry that it is about. */
  readonly index?: number
  /** What else programs want to know of it. */
  readonly facts?: object
}

/** Of each list in JSON; more are counted. */
const MAX_LISTED = 10_000
const MARGIN = 12

/** Tells an audit as it goes on, or as one JSON object at its end. */
export class AuditReport {
  private readonly said: Record<string, unknown> = {}
  private readonly entries: object[] = []
  private readonly findings: Finding[] = []
  private readonly leftOff = { entries: 0, findings: 0 }
  private wrong = 0

  constructor(
    private readonly console: Pick<Console, 'out' | 'err'>,
    private readonly isJson: boolean,
  ) {}

  /** A fact about the log: a line for people, and its parts for programs. */
  say(name: string, text: string, facts: unknown): void {
    this.said[name] = facts
    this.line(name, text)
  }

  /** An entry that everybody can read. */
  entry(index: number, text: string, facts: object): void {
    if (this.entries.length < MAX_LISTED) this.entries.push({ index, entry: facts })
    else this.leftOff.entries += 1
    this.line('', `#${index} ${text}`)
  }

  find(finding: Finding): void {
    if (this.findings.length < MAX_LISTED) this.findings.push(finding)
    else this.leftOff.findings += 1
    if (finding.weight === 'wrong') this.wrong += 1
    this.line(finding.weight === 'wrong' ? 'WRONG' : 'note', finding.text)
  }

  /** How far long work is. */
  progress(text: string): void {
    this.console.err(`${text}\n`)
  }

  /** Tells the outcome; answers the exit code. */
  end(): number {
    const outcome = this.wrong === 0 ? 'proved' : 'wrong'
    const { entries: publicEntries, findings, leftOff } = this
    if (this.isJson)
      this.console.out(`${JSON.stringify({ outcome, ...this.said, publicEntries, findings, leftOff })}\n`)
    else this.console.out(this.wrong === 0 ? '\nEverything is proved.\n' : `\nSomething is wrong: ${this.wrong}.\n`)
    return this.wrong === 0 ? 0 : 1
  }

  /** Texts of a log are those of somebody else. */
  private line(name: string, text: string): void {
    if (!this.isJson) this.console.out(`${name.padEnd(MARGIN)}${plain(text)}\n`)
  }
}
