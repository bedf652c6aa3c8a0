import { isatty } from 'node:tty'
import type { Variables } from '../config/environment.js'
import { loadConfig } from '../config/load-config.js'
import { refusalWords, restartWords, wrongIn } from '../reload-host.js'
import type { Host } from '../start-host.js'

/** The signal by which a host reads anew what it can take over. */
export const HANGUP = 'SIGHUP' as const

/**
 * Takes it, as it would end a process that does not, from the beginning on; one that comes early is kept. At a terminal it is
 * left alone: there it means that the terminal was closed, and ends the process.
 */
export class Hangups {
  private isEarly = false
  private act: () => void = () => {
    this.isEarly = true
  }
  private readonly listener = () => this.act()

  constructor() {
    if (!isatty(0)) process.on(HANGUP, this.listener)
  }

  /** Says what each of them is to do from now on. */
  take(act: () => void): void {
    this.act = act
    if (this.isEarly) act()
  }

  /** Takes the signal no more. */
  end(): void {
    process.off(HANGUP, this.listener)
  }
}

/** Reads everything anew that a host can take over, and says in one line of its log what came of it. */
export async function reload({ reload: takeOver, app: { log } }: Host, env: Variables): Promise<void> {
  try {
    const { changed, restart } = await takeOver(await loadConfig(env))
    log.info(`read anew: ${changed.length === 0 ? 'nothing has changed' : changed.join('; ')}`)
    if (restart.length > 0) log.warn(restartWords(restart))
  } catch (error) {
    log.error(refusalWords(wrongIn(error)))
  }
}
