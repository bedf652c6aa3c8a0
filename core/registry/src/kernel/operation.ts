import type { Newable } from 'inversify'
import type { Static, TObject, TSchema } from 'typebox'
import type { AnyService } from './service.js'
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

/** All that there is to know about an operation beside what it does. HTTP, OpenAPI and clients are made of it. */
export interface OperationSpec {
  /** Unique, camelCase: the class name of the use case, uncapitalized; `operationId` of OpenAPI. */
  readonly id: string
  readonly group: string
  /** One line, without a full stop. */
  readonly summary: string
  /** Sentences for who reads OpenAPI: who may call it, and what is good to know before. */
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
export const operation = <const O extends OperationSpec>(spec: O): O => spec

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
 * What `execute` takes beside the caller: the parameters by name, then `query`, `request`, `upload` and `body` where there
 * are any, and `keep` where the operation is idempotent by a key.
 */
export type Input<O extends OperationSpec> = Params<O> & Query<O> & Request<O> & Original<O> & Bytes<O> & Kept<O>

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
  new (...use: never): { execute(caller: never, input: infer I): infer A }
}
  ? Input<O> extends I
    ? Awaited<A> extends Answer<O>
      ? C
      : never
    : never
  : never
