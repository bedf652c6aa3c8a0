import { expect } from 'chai'
import { RegistryError } from '#verifier/error.js'

/** Counts verdicts against the expected ones, on both sides. */
export class Scoreboard {
  right = 0
  readonly falseAccepts: string[] = []
  readonly falseRejects: string[] = []
  readonly crashes: string[] = []

  constructor(private readonly corpus: string) {}

  /** Judges one case; `verify` says yes or no, or refuses with a coded error. */
  judge(name: string, expected: 'accept' | 'reject' | 'either', verify: () => boolean): void {
    const accepted = this.run(name, verify)
    if (accepted === undefined) return
    if (expected === 'either' || accepted === (expected === 'accept')) this.right += 1
    else if (accepted) this.falseAccepts.push(name)
    else this.falseRejects.push(name)
  }

  private run(name: string, verify: () => boolean): boolean | undefined {
    try {
      return verify()
    } catch (error) {
      if (error instanceof RegistryError) return false
      this.crashes.push(`${name}: ${String(error)}`)
      return undefined
    }
  }

  get total(): number {
    return this.right + this.falseAccepts.length + this.falseRejects.length + this.crashes.length
  }

  /** One line for the run's output. */
  print(): void {
    console.log(
      `      ${this.corpus}: ${this.right} of ${this.total} right, ${this.falseAccepts.length} false accepts, ` +
        `${this.falseRejects.length} false rejects, ${this.crashes.length} crashes`,
    )
  }

  expectAllRight(total: number): void {
    expect(this.falseAccepts, 'false accepts').to.deep.equal([])
    expect(this.falseRejects, 'false rejects').to.deep.equal([])
    expect(this.crashes, 'crashes').to.deep.equal([])
    expect(this.total).to.equal(total)
  }
}
