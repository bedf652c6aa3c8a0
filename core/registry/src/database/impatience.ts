/** Calls back once when something has waited for long, unless that ends before. */
export class Impatience {
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly afterMs: number,
    private readonly call: () => void,
  ) {}

  /** Counts from the first time on. */
  begin(): void {
    this.timer ??= setTimeout(this.call, this.afterMs)
  }

  end(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}
