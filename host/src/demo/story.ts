/** Prints the demo as numbered steps. */
export class Story {
  private steps = 0

  constructor(private readonly print: (line: string) => void) {}

  step(title: string): void {
    this.steps += 1
    this.print(`\n${this.steps}. ${title}`)
  }

  fact(line: string): void {
    this.print(`   ${line}`)
  }
}
