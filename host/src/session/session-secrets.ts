import type { Reread } from '@signed-registry/core'

/** Prepares for other secrets, and answers what makes them count. */
type Prepare = (secrets: readonly string[]) => Promise<() => void>

/** The secrets of sessions, which may be replaced while a host runs: the first signs, all verify. */
export class SessionSecrets {
  private readonly users: Prepare[] = []

  constructor(private current: readonly string[]) {}

  get all(): readonly string[] {
    return this.current
  }

  /** Lets somebody who has made keys of them make others when they are replaced. */
  usedBy(prepare: Prepare): void {
    this.users.push(prepare)
  }

  /** Prepares that others take their place. Rejects for one that is too short. */
  async reread(next: readonly string[]): Promise<Reread> {
    const ready = await Promise.all(this.users.map((prepare) => prepare(next)))
    const isSame = next.length === this.current.length && next.every((secret, n) => secret === this.current[n])
    return {
      changed: isSame ? undefined : `SESSION_SECRET: ${next.length} in use`,
      apply: () => {
        if (isSame) return
        this.current = next
        for (const use of ready) use()
      },
    }
  }
}
