import type { Subject } from '../subject.js'
import { ask, type PhoneAnswer } from './ask.js'
import { signDocuments } from './sign-documents.js'

/** What the user of a phone does. */
export interface PhoneChoices {
  /** Refuses to sign. */
  readonly cancel?: boolean
  /** Signs otherwise than was asked. */
  readonly method?: string
  /** Changes what goes back to the service. */
  readonly change?: (returned: Readonly<Record<string, unknown>>) => unknown
}

/** What the app was told at API 1. */
export interface AppAnnouncement {
  readonly description: string
  readonly expiry_date: string
  readonly organisation: Readonly<Record<string, string>>
  readonly document: { readonly uri: string; readonly auth_type: string; readonly auth_token: string }
}

/** The service refused the app, or answered what the app does not understand. */
export class PhoneError extends Error {
  override readonly name = 'PhoneError'

  constructor(
    message: string,
    readonly answer?: PhoneAnswer,
  ) {
    super(message)
  }
}

/** Simulates the mobile application over HTTP: API 1, and API 2 with its three kinds of authentication. It trusts every domain. */
export class DevPhone {
  /** `login` is the user's authentication certificate, for services that ask for one. */
  constructor(
    private readonly signer: Subject,
    private readonly login: Subject = signer,
    private readonly trust?: string | Buffer | false,
  ) {}

  /** Scans a code or follows a link and goes through the procedure. Returns the last answer of the service. */
  async sign(code: string, choices: PhoneChoices = {}): Promise<PhoneAnswer> {
    const announcement = await this.open(code)
    return this.answer(announcement, await this.documents(announcement), choices)
  }

  /** API 1. */
  async open(code: string): Promise<AppAnnouncement> {
    const { text } = this.expectGood(await ask(addressIn(code), { method: 'GET', trust: this.trust }))
    return JSON.parse(text)
  }

  /** API 2: the documents, as text. */
  async documents({ document }: AppAnnouncement): Promise<string> {
    const { uri, auth_type } = document
    const isEds = auth_type === 'Eds'
    const answer = await ask(uri, {
      method: isEds ? 'POST' : 'GET',
      headers: { 'accept-language': 'ru', ...authorization(document) },
      ...(isEds && { body: JSON.stringify({ xml: this.signedLogin(uri) }) }),
      trust: this.trust,
    })
    return this.expectGood(answer).text
  }

  /** API 2: returns the signatures, or the refusal. */
  answer({ document }: AppAnnouncement, given: string, choices: PhoneChoices = {}): Promise<PhoneAnswer> {
    const { cancel = false, method, change = (same) => same } = choices
    const returned = cancel ? { ...JSON.parse(given), status: 'CANCELED' } : signDocuments(given, this.signer, method)
    return ask(document.uri, {
      method: 'PUT',
      headers: authorization(document),
      body: JSON.stringify(change(returned)),
      trust: this.trust,
    })
  }

  private signedLogin(uri: string): string {
    const now = new Date().toISOString()
    return this.login.signXml(`<login><url>${uri}</url><timeStamp>${now}</timeStamp></login>`).document
  }

  private expectGood(answer: PhoneAnswer): PhoneAnswer {
    if (answer.status === 200) return answer
    throw new PhoneError(`The service answered ${answer.status}: ${answer.text}`, answer)
  }
}

const authorization = (document: AppAnnouncement['document']): Record<string, string> =>
  document.auth_type === 'Token' ? { authorization: `Bearer ${document.auth_token}` } : {}

const SCHEME = 'mobileSign:'

/** The address of API 1 in the text of a code, or in a link that opens the app. */
export function addressIn(code: string): string {
  const text = code.trim()
  const address = text.startsWith(SCHEME) ? text.slice(SCHEME.length) : (/[?&]link=([^&]+)/.exec(text)?.[1] ?? text)
  const plain = /^https?%3A/i.test(address) ? decodeURIComponent(address) : address
  if (!URL.canParse(plain) || !/^https?:/.test(plain))
    throw new PhoneError('This is no code or link of the application')
  return plain
}
