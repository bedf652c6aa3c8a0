/** Prints the demo as numbered steps. */
export class Story {
  #step = 0

  constructor(private readonly print: (line: string) => void) {}

  step(title: string): void {
    this.#step += 1
    this.print(`\n${this.#step}. ${title}`)
  }

  fact(line: string): void {
    this.print(`   ${line}`)
  }
}
