/** What went wrong, coarsely; the host maps each kind to one HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'absent'
  | 'conflict'
  | 'tooLarge'
  /** What it would be kept in has no room. */
  | 'full'
  | 'unacceptable'
  | 'tooMany'
  | 'unavailable'
  | 'unexpected'

/** One catalogued error. `message` is the public key of `GET /api/strings` (specification, "Errors"); `ru`, `kk` translate it. */
export interface ErrorText {
  readonly kind: ErrorKind
  readonly message: string
  readonly ru: string
  readonly kk: string
  readonly description: string
}

/** JSON facts that tell the caller why and what to do next; never secrets or internal text. */
export type ErrorDetails = Readonly<Record<string, unknown>>

/**
 * The one class of errors: a code, a kind and facts (`details.reason` first). The registry answers with it in its own
 * words, and reports everything else as `unexpected`; whoever uses the verifier alone knows it as `VerifierError`.
 */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly kind: ErrorKind
  readonly details: ErrorDetails | undefined

  constructor(
    readonly code: string,
    text: Pick<ErrorText, 'kind' | 'message'>,
    options: { details?: ErrorDetails | undefined; cause?: unknown } = {},
  ) {
    super(text.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = text.kind
    this.details = options.details
  }

  /** The same refusal with more facts. */
  with(details: ErrorDetails): RegistryError {
    return new RegistryError(this.code, this, { details: { ...this.details, ...details }, cause: this })
  }
}

/** An area's error catalogue: code to texts. */
export type ErrorCatalogue = Readonly<Record<string, ErrorText>>

/** Declares an area's errors as data and gives the function that makes them. */
export function defineErrors<const T extends ErrorCatalogue>(texts: T) {
  const error = (code: keyof T & string, details?: ErrorDetails, cause?: unknown): RegistryError => {
    const text = texts[code]
    if (text === undefined) throw new TypeError(`No error text for code ${code}`)
    return new RegistryError(code, text, { details, cause })
  }
  return { texts, error }
}
