import { channel } from 'node:diagnostics_channel'
import type { Newable } from 'inversify'
import type { Static, TObject, TSchema } from 'typebox'
import { type ErrorKind, RegistryError } from './error.js'
import type { AnyService, Calls, Dependencies, Injected } from './service.js'
import type { BodyStream, Upload } from './upload.js'

/** How large the JSON of a request may be; checked before it is parsed. */
export interface JsonBounds {
  /** Bytes; `Infinity` for requests that carry a signature, which only the host limits. */
  readonly bytes: number
  /** Elements of lists and members of objects, in total. */
  readonly values: number
}

/** Enough for a request with a few short texts. */
export const usualJson: JsonBounds = { bytes: 64 * 1024, values: 1000 }

/** Where an operation is found: a method and a path below `/api`, with `:name` for each of its parameters. */
export type Address = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`

/** An address of the production service for an operation of ours; it is served but not documented. */
export interface Alias {
  readonly at: Address
  /** Values of required fields that its clients may leave out of the body. */
  readonly filledIn?: Readonly<Record<string, string>>
}

/** Everything about an operation but its code: routes, OpenAPI and clients are derived from it. */
export interface OperationSpec {
  /** Unique, camelCase: the class name of the use case, uncapitalized; `operationId` of OpenAPI. */
  readonly id: string
  readonly group: string
  readonly at: Address
  readonly aliases?: readonly Alias[]
  /** Who may call it. The guard's check runs before `execute`, and adds what it finds to the input. */
  readonly who: Guard
  /** Browsers may call it from pages of any origin, anonymously: it needs no session. */
  readonly openToOrigins?: true
  /** One line, without a full stop. */
  readonly summary: string
  /** Sentences for readers of OpenAPI, after those that say who may call it. */
  readonly description?: string
  /** Identifiers that stand in the address. */
  readonly params?: TObject
  readonly query?: TObject
  /** The body: JSON, or the original of a document as a stream. */
  readonly request?: TSchema
  readonly upload?: true
  /** True when an upload must be `application/octet-stream`. */
  readonly onlyOctets?: true
  /** True when an empty upload stands for the original that is stored already. */
  readonly orStored?: true
  /** What the request needs beyond `usualJson`. */
  readonly json?: Partial<JsonBounds>
  /** True when the request may bring the original along: as a form in HTTP, as `upload` for `execute`. */
  readonly form?: true
  /** The body is a stream of any type and length, which the operation reads itself. */
  readonly stream?: true
  /** The body of a successful answer. */
  readonly answer: TSchema
  /** Codes of its errors, besides those of its guard and of its shape (`refusalsOf`). */
  readonly refuses?: readonly string[]
  /** Media types besides JSON that a successful answer may have: bytes, events or text. */
  readonly alsoAnswers?: readonly string[]
  /**
   * True when a caller may repeat the request under an idempotency key: it takes effect once, and is answered the same each
   * time. `execute` then passes its answer to `keep`, last in the transaction of the effect. Not with an upload.
   */
  readonly idempotent?: true
  /** A field of the answer that is a file in base64: clients that accept its type and not JSON get the file itself. */
  readonly file?: { readonly field: string; readonly type: string }
}

/** Stores an answer in the transaction of its effect, and returns it. */
export type Keep = <A extends object>(answer: A) => Promise<A>

/** The `keep` of a call without a key. */
export const keepNothing: Keep = async (answer) => answer

/** Declares an operation: `static readonly operation = operation({ id: 'getDocument', … })`. */
export const operation = <const O extends OperationSpec>(spec: O): O & Calls<Given<O>, Asked<O>> => spec

/** Arguments of an operation whose guard checks; `never` for others, which take those of their class. */
type Given<O extends OperationSpec> = [Takes<O['who']>] extends [never]
  ? never
  : Record<never, never> extends Input<O>
    ? [caller: Takes<O['who']>, input?: Input<O>]
    : [caller: Takes<O['who']>, input: Input<O>]

/** What its guard needs to know: the caller, and what the address names. */
type Asked<O extends OperationSpec> =
  unknown extends Asks<O['who']> ? [caller: Takes<O['who']>] : [caller: Takes<O['who']>, input: Asks<O['who']>]

type Params<O> = O extends { readonly params: infer P extends TObject } ? Static<P> : unknown
type Query<O> = O extends { readonly query: infer Q extends TObject }
  ? Record<never, never> extends Static<Q>
    ? { readonly query?: Static<Q> }
    : { readonly query: Static<Q> }
  : unknown
type Request<O> = O extends { readonly request: infer R extends TSchema } ? { readonly request: Static<R> } : unknown
type Original<O> = O extends { readonly upload: true }
  ? { readonly upload: Upload }
  : O extends { readonly form: true }
    ? { readonly upload?: Upload }
    : unknown
type Bytes<O> = O extends { readonly stream: true } ? { readonly body: BodyStream } : unknown
type Kept<O> = O extends { readonly idempotent: true } ? { readonly keep?: Keep } : unknown

/**
 * The input of an operation: its parameters by name, then `query`, `request`, `upload` and `body` where there are any, and
 * `keep` where the operation is idempotent.
 */
export type Input<O extends OperationSpec> = Params<O> & Query<O> & Request<O> & Original<O> & Bytes<O> & Kept<O>

/** The input of `execute`: that of the operation, and what the guard found, such as `document`. */
export type Admitted<O extends OperationSpec> = Input<O> & Finds<O['who']>

/** What `execute` answers. */
export type Answer<O extends OperationSpec> = Static<O['answer']>

/** What every operation has. Values are validated where they enter the program; `Executable` checks the types. */
interface Executes {
  execute(caller: unknown, input: unknown): unknown
}

/** Any operation: a service class with an `operation`. */
export type AnyOperation = Newable<Executes> & Pick<AnyService, 'inject'> & { readonly operation: OperationSpec }

/** Does not compile for an operation whose `execute` does not match its declaration. */
export type Executable<C> = C extends {
  readonly operation: infer O extends OperationSpec
  new (...use: never): { execute(caller: infer K, input: infer I): infer A }
}
  ? [Input<O>, Lets<O['who']>, Admitted<O>] extends [Asks<O['who']>, K, I]
    ? Awaited<A> extends Answer<O>
      ? C
      : never
    : never
  : never

/** Codes of all errors of an operation: its own, those of its guard, and those of its shape. */
export const refusalsOf = ({ who, refuses = [], ...shape }: OperationSpec): string[] => [
  ...new Set([
    ...who.refuses,
    ...(shape.params || shape.query ? ['invalidQueryParameter'] : []),
    ...(shape.request || shape.upload || shape.form ? ['invalidJsonStructure'] : []),
    ...(shape.request || shape.upload || shape.stream ? ['bodyTooLarge'] : []),
    ...(shape.idempotent ? ['invalidIdempotencyKey', 'idempotencyKeyReused', 'answerTooLargeToKeep'] : []),
    ...refuses,
  ]),
]

/**
 * Who may call an operation. `check` runs before `execute` on the caller and the resource that the address names; what it
 * returns is added to the input, except `caller`, which replaces the caller by one of a kind that may pass. A guard without
 * `check` is documentation only: the request itself is the proof.
 */
export interface Guard {
  /** Who may call it, as `docs/access.md` and OpenAPI put it. */
  readonly words: string
  /** Codes of the errors that the check throws. */
  readonly refuses: readonly string[]
  readonly inject?: Dependencies
  readonly check?: (use: never) => (caller: never, input: never) => unknown
  /** `execute` does the check itself, under a lock or along with its reads; only `admits` uses `check`. */
  readonly byItself?: true
}

/** Declares a guard with a check, which is built once from the dependencies in `inject`. */
export const guard = <const D extends Dependencies, K, I, F extends object>(given: {
  readonly words: string
  readonly refuses: readonly string[]
  readonly inject: D
  readonly check: (use: Injected<D>) => (caller: K, input: I) => Promise<F>
}) => given

type Check<K, I, F> = { readonly check: (use: never) => (caller: K, input: I) => Promise<F> }

/** The type of caller that a guard takes. */
export type Takes<G> = G extends Check<infer K, never, object> ? K : never

/** What a guard needs of the input, such as `{ id: string }`. */
export type Asks<G> = G extends Check<never, infer I, object> ? I : unknown

/** The caller that a guard lets through. */
export type Lets<G> =
  G extends Check<never, never, infer F> ? (F extends { readonly caller: infer K } ? K : Takes<G>) : never

/** What a guard adds to the input of `execute`; `unknown` where `execute` does the check itself, or there is none. */
export type Finds<G> = G extends { readonly byItself: true }
  ? unknown
  : G extends Check<never, never, infer F>
    ? Omit<F, 'caller'>
    : unknown

/** Publishes each coded error that an operation rejects with: `{ operation, code, kind }`. */
export const refusedChannel = channel('signed-registry:refused')

const NOT_ADMITTED: readonly string[] = ['unauthenticated', 'forbidden', 'invalid'] satisfies ErrorKind[]

interface Executes {
  execute(caller: unknown, input: unknown, ...more: unknown[]): unknown
}
type Checked = (caller: unknown, input: unknown) => Promise<{ readonly caller?: unknown }>

/** Wraps an operation in its guard: `execute` can be reached only through the check. */
export function guarded<T extends Executes>(part: T, operation: string, { check, byItself }: Guard, use: object): T {
  const execute = part.execute.bind(part)
  const asked: Checked | undefined = check && Reflect.apply(check, undefined, [use])
  const found = byItself ? undefined : asked
  const admit = async (caller: unknown, input: unknown, more: unknown[], check: Checked) => {
    const { caller: known = caller, ...rest } = await check(caller, input)
    return execute(known, { ...Object(input), ...rest }, ...more)
  }
  const call = (caller: unknown, input: unknown, ...more: unknown[]) =>
    found === undefined ? execute(caller, input, ...more) : admit(caller, input, more, found)
  const tell = (error: unknown) => {
    if (error instanceof RegistryError) refusedChannel.publish({ operation, code: error.code, kind: error.kind })
    throw error
  }
  const value = (...given: Parameters<typeof call>) => {
    if (!refusedChannel.hasSubscribers) return call(...given)
    try {
      const answer = call(...given)
      return answer instanceof Promise ? answer.catch(tell) : answer
    } catch (error) {
      return tell(error)
    }
  }
  const admitting = (check: Checked) => async (caller: unknown, input: unknown) => {
    try {
      await check(caller, input)
      return true
    } catch (error) {
      if (error instanceof RegistryError && NOT_ADMITTED.includes(error.kind)) return false
      throw error
    }
  }
  return Object.defineProperties(part, {
    execute: { value: Object.defineProperty(value, 'length', { value: execute.length }), configurable: true },
    // Without a check nobody knows whom the operation lets in.
    ...(asked && { admits: { value: admitting(asked) } }),
  })
}
