import { channel } from 'node:diagnostics_channel'
import type { Newable } from 'inversify'
import type { Static, TObject, TSchema } from 'typebox'
import { type ErrorKind, RegistryError } from './error.js'
import type { AnyService, Calls, Dependencies, Injected } from './service.js'
import type { BodyStream, Upload } from './upload.js'

/** How large the JSON of a request may be: looked at before it is parsed. */
export interface JsonBounds {
  /** Bytes; `Infinity` where a signature may come, for as many as the host takes. */
  readonly bytes: number
  /** Elements of lists and members of objects, all together. */
  readonly values: number
}

/** Enough for a request of a few texts. */
export const usualJson: JsonBounds = { bytes: 64 * 1024, values: 1000 }

/** Where an operation is found: a method and a path below `/api`, with `:name` for each of its parameters. */
export type Address = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`

/** An address of the production service for an operation that has one of ours; it is served and not described. */
export interface Alias {
  readonly at: Address
  /** Fields that its clients leave out of the body, as they may there. */
  readonly filledIn?: Readonly<Record<string, string>>
}

/** All that there is to know about an operation beside what it does. HTTP, OpenAPI and clients are made of it. */
export interface OperationSpec {
  /** Unique, camelCase: the class name of the use case, uncapitalized; `operationId` of OpenAPI. */
  readonly id: string
  readonly group: string
  readonly at: Address
  readonly aliases?: readonly Alias[]
  /** Who may call it. What the guard checks is checked before `execute`, and what it found is handed over in the input. */
  readonly who: Guard
  /** Pages of every origin may call it from browsers, as nobody: it asks for no session. */
  readonly openToOrigins?: true
  /** One line, without a full stop. */
  readonly summary: string
  /** Sentences for who reads OpenAPI, after those that say who may call it: what is good to know before. */
  readonly description?: string
  /** Identifiers that stand in the address. */
  readonly params?: TObject
  readonly query?: TObject
  /** The body: JSON, or the original of a document as a stream. */
  readonly request?: TSchema
  readonly upload?: true
  /** True when an upload is `application/octet-stream` and nothing else. */
  readonly onlyOctets?: true
  /** True when an upload without bytes stands for the original that is stored. */
  readonly orStored?: true
  /** What the request needs beyond `usualJson`. */
  readonly json?: Partial<JsonBounds>
  /** True when an original may come together with the request: as a form in HTTP, as `upload` for `execute`. */
  readonly form?: true
  /** The body is bytes of any type and length, which the operation reads when it wants to. */
  readonly stream?: true
  /** What a success answers. */
  readonly answer: TSchema
  /** Codes of the errors that it refuses with, beside those of its guard and of its shape (`refusalsOf`). */
  readonly refuses?: readonly string[]
  /** Media types that a success may have beside JSON: bytes, events or text, as they are. */
  readonly alsoAnswers?: readonly string[]
  /**
   * True when a caller may send the same request again with a key, for one effect and one answer. `execute` then hands its
   * answer to `keep`, as the last thing in the transaction that has the effect. Not with an upload.
   */
  readonly idempotent?: true
  /** A field of the answer, base64 of a file: who accepts its type and nothing of JSON gets the file itself. */
  readonly file?: { readonly field: string; readonly type: string }
}

/** Keeps an answer together with the effect that it tells of, and gives it back. */
export type Keep = <A extends object>(answer: A) => Promise<A>

/** What `keep` is where a call has no key. */
export const keepNothing: Keep = async (answer) => answer

/** Declares an operation: `static readonly operation = operation({ id: 'getDocument', … })`. */
export const operation = <const O extends OperationSpec>(spec: O): O & Calls<Given<O>> => spec

/** What others give an operation that has a guard; any other takes what its class says. */
type Given<O extends OperationSpec> = [Takes<O['who']>] extends [never]
  ? never
  : Record<never, never> extends Input<O>
    ? [caller: Takes<O['who']>, input?: Input<O>]
    : [caller: Takes<O['who']>, input: Input<O>]

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
 * What callers give beside themselves: the parameters by name, then `query`, `request`, `upload` and `body` where there
 * are any, and `keep` where the operation is idempotent by a key.
 */
export type Input<O extends OperationSpec> = Params<O> & Query<O> & Request<O> & Original<O> & Bytes<O> & Kept<O>

/** What `execute` takes beside the caller: what callers give, and what the guard found, such as `document`. */
export type Admitted<O extends OperationSpec> = Input<O> & Finds<O['who']>

/** What `execute` answers. */
export type Answer<O extends OperationSpec> = Static<O['answer']>

/** What every operation does. Callers and inputs are checked where they come from; `Executable` checks the types. */
interface Executes {
  execute(caller: unknown, input: unknown): unknown
}

/** Any operation: a service class that says what it is. */
export type AnyOperation = Newable<Executes> & Pick<AnyService, 'inject'> & { readonly operation: OperationSpec }

/** Does not compile for an operation whose `execute` takes or answers something else than it declares. */
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

/** Codes of all the errors that an operation refuses with: its own, those of its guard, and those of its shape. */
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
 * Who may call an operation. `check` looks at the caller, and at what the address names, before `execute`; what it finds goes
 * into the input, and a `caller` that it answers is known to be of the kind that it lets through. A guard without `check` is
 * only told: the request proves itself.
 */
export interface Guard {
  /** Who that is, as `docs/access.md` and OpenAPI say it. */
  readonly words: string
  /** Codes of the errors that it refuses with. */
  readonly refuses: readonly string[]
  readonly inject?: Dependencies
  readonly check?: (use: never) => (caller: never, input: never) => unknown
  /** The operation makes the check by itself, under a lock or together with what it reads; others may still ask it. */
  readonly byItself?: true
}

/** Declares a guard that checks; its check is made once, of what `inject` names. */
export const guard = <const D extends Dependencies, K, I, F extends object>(given: {
  readonly words: string
  readonly refuses: readonly string[]
  readonly inject: D
  readonly check: (use: Injected<D>) => (caller: K, input: I) => Promise<F>
}) => given

type Check<K, I, F> = { readonly check: (use: never) => (caller: K, input: I) => Promise<F> }

/** What a guard takes for the caller. */
export type Takes<G> = G extends Check<infer K, never, object> ? K : never

/** What a guard asks of the input, such as `{ id: string }`. */
export type Asks<G> = G extends Check<never, infer I, object> ? I : unknown

/** The caller that a guard lets through. */
export type Lets<G> =
  G extends Check<never, never, infer F> ? (F extends { readonly caller: infer K } ? K : Takes<G>) : never

/** What a guard finds for `execute`; `unknown` where the operation checks by itself, or the guard is only told. */
export type Finds<G> = G extends { readonly byItself: true }
  ? unknown
  : G extends Check<never, never, infer F>
    ? Omit<F, 'caller'>
    : unknown

/** Told of each error of a catalogue that an operation rejected with: `{ operation, code, kind }`. */
export const refusedChannel = channel('signed-registry:refused')

const NOT_ADMITTED: readonly string[] = ['unauthenticated', 'forbidden', 'invalid'] satisfies ErrorKind[]

interface Executes {
  execute(caller: unknown, input: unknown, ...more: unknown[]): unknown
}
type Checked = (caller: unknown, input: unknown) => Promise<{ readonly caller?: unknown }>

/** Puts a guard before an operation: nobody reaches its `execute` but through the check. */
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
  const admits = async (caller: unknown, input: unknown) => {
    try {
      await asked?.(caller, input)
      return true
    } catch (error) {
      if (error instanceof RegistryError && NOT_ADMITTED.includes(error.kind)) return false
      throw error
    }
  }
  return Object.defineProperties(part, {
    execute: { value: Object.defineProperty(value, 'length', { value: execute.length }), configurable: true },
    admits: { value: admits },
  })
}
