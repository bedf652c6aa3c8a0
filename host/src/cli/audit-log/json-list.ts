/** Of each list; more are counted. */
const MAX_LISTED = 10_000
/** Of each list as it is written: far less than one text can have. */
const MAX_CHARACTERS = 32 * 1024 * 1024

/** A list in JSON that ends before it can no longer be written, whatever a log or a database has. */
export class JsonList {
  readonly kept: object[] = []
  /** How many are not kept. */
  leftOff = 0
  private characters = 0

  add(one: object): void {
    const { length } = JSON.stringify(one)
    if (this.kept.length >= MAX_LISTED || this.characters + length > MAX_CHARACTERS) {
      this.leftOff += 1
      return
    }
    this.characters += length
    this.kept.push(one)
  }
}
