import { createClient, RegistryProblem, RegistryUnavailable, type Strings } from '@signed-registry/client'
import { make, say } from './dom.js'
import { language, texts } from './texts.js'

/** The registry that served this page. Whether something is tried again is asked of the person. */
export const client = createClient({ baseUrl: location.origin, retries: 0 })

/** True for a failure of the connection: by the client, by `fetch` (a `TypeError`, or a `DOMException` on a timeout). */
export const isOffline = (error: unknown): boolean =>
  error instanceof RegistryUnavailable || error instanceof TypeError || error instanceof DOMException

/** An error whose message is shown to the person as it is. */
export class Told extends Error {
  override readonly name = 'Told'

  constructor(
    message: string,
    /** The field that it is about, or its name. */
    readonly at?: string | HTMLInputElement,
  ) {
    super(message)
  }
}

let strings: Promise<Strings> | undefined

/** The message of a failure in the language of the page. */
export async function failureText(error: unknown): Promise<string> {
  if (error instanceof Told) return error.message
  if (error instanceof DOMException && /^Not(Readable|Found)Error$/.test(error.name)) return texts.unreadable
  if (isOffline(error)) return texts.offline
  if (!(error instanceof RegistryProblem)) return String(error)
  if (error.code === 'invalidReceiver' && error.details?.reason === 'sender') return texts.toYourself
  if (error.status === 0 || error.code === 'unknown') return texts.offline
  return catalogued(error.message)
}

/** A message of the catalogue in the language of the page. */
export async function catalogued(message: string): Promise<string> {
  if (language === 'en') return `${message}.`
  strings ??= client.getStrings()
  const found = (await strings.catch(() => undefined))?.errorMessages[message]
  const text = found === undefined ? message : language === 'kk' ? found.kk : found.ru
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** A link to the login page in another tab, so that the input on this page is kept. */
export const loginLink = (): HTMLElement =>
  make('a', { href: '/login', target: '_blank', class: 'button' }, texts.logIn)

/** Says what went wrong, with a link to log in when the session has expired. */
export async function sayFailure(place: HTMLElement, error: unknown, ...more: (Node | undefined)[]): Promise<void> {
  if (error instanceof RegistryProblem && error.code === 'authenticationRequired') {
    return say(place, 'bad', make('p', {}, texts.sessionOver), loginLink())
  }
  say(place, 'bad', make('p', {}, await failureText(error)), ...more, requestId(error))
}

/** The identifier of the request that failed, which finds it in the log of the service, with a button that copies it. */
export function requestId(error: unknown): HTMLElement | undefined {
  const id = error instanceof RegistryProblem ? error.requestID : undefined
  if (id === undefined) return undefined
  const copy = make('button', { type: 'button', class: 'small', 'data-copy': id }, texts.copy)
  return make(
    'p',
    { class: 'hint' },
    `${texts.requestId} `,
    make('span', { class: 'copyable' }, make('code', {}, id), copy),
  )
}
