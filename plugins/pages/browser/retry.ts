import { isProblem } from '@signed-registry/client'
import { failureText, isOffline, loginLink } from './api.js'
import { make, say } from './dom.js'
import { texts } from './texts.js'

/**
 * Sends a request; when the connection breaks off, the registry is busy or the session has expired, shows that and the progress so
 * far, and retries when the person asks for it. The request must be idempotent.
 */
export async function askAgain<T>(
  place: HTMLElement,
  ask: () => Promise<T>,
  soFar: () => readonly Node[] = () => [],
): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (isProblem(error, 'authenticationRequired')) {
        await pressed(place, make('p', {}, texts.sessionOver), make('p', {}, loginLink()), ...soFar())
      } else if (mayPass(error)) {
        await pressed(place, make('p', {}, await reason(error)), ...soFar())
      } else throw error
    }
  }
}

/** Pauses before a request that the registry is too busy for is repeated by itself. */
const PAUSES_MS = [2_000, 5_000, 15_000, 30_000, 60_000]

/** Sends one of many requests: repeats it by itself for a while where the registry is busy, unless the person stopped it. */
export async function patiently<T>(ask: () => Promise<T>, isStopped: () => boolean): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await ask()
    } catch (error) {
      if (isStopped() || !isProblem(error) || (error.status !== 429 && error.status !== 503)) throw error
      const ms = Math.max(pause, (error.retryAfter ?? 0) * 1000)
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
  return ask()
}

/** True for failures that may pass: of the connection, or because the registry is busy. */
const mayPass = (error: unknown): boolean =>
  isProblem(error) ? error.code === 'unknown' || error.status === 429 || error.status >= 500 : isOffline(error)

const reason = async (error: unknown): Promise<string> =>
  isProblem(error) && error.code !== 'unknown' ? failureText(error) : texts.interrupted

/** Resolves when the person asks for another attempt. */
function pressed(place: HTMLElement, ...told: Node[]): Promise<void> {
  return new Promise((resolve) => {
    const button = make('button', { type: 'button', class: 'strong' }, texts.again)
    button.addEventListener('click', () => resolve())
    say(place, 'bad', ...told, button)
    button.focus()
  })
}
