import { isProblem } from '@signed-registry/client'
import { failureText, loginLink } from './api.js'
import { make, say } from './dom.js'
import { texts } from './texts.js'

/**
 * Asks the registry; where the connection broke off, the registry was busy or the session is over, says so and how far things are, and asks
 * the same again as soon as the person says so. A request must have one effect however often it comes.
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

/** True for failures of the way to the registry, or of its present state. */
const mayPass = (error: unknown): boolean =>
  isProblem(error)
    ? error.code === 'unknown' || error.status === 429 || error.status >= 500
    : error instanceof TypeError || error instanceof DOMException

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
