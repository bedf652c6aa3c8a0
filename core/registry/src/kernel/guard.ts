import { channel } from 'node:diagnostics_channel'
import { type ErrorKind, RegistryError } from './error.js'
import type { Dependencies, Injected } from './service.js'

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
