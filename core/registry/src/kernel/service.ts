import type { AbstractNewable, Newable } from 'inversify'
import type { AnyPort, Port, PortKind } from './port.js'

/** What a class may ask for: a port, or another class. */
export type Dependency = AnyPort | AbstractNewable<object>

/** Dependencies by the names under which their class uses them. */
export type Dependencies = Readonly<Record<string, Dependency>>

/** What stands behind dependencies: the part of a port, every part of a contribution, the one instance of a class. */
export type Injected<I> = { readonly [Name in keyof I]: Resolved<I[Name]> }
type Resolved<D> =
  D extends Port<infer T, infer K>
    ? Parts<T, K>
    : D extends { readonly operation: Calls<infer G>; new (...use: never): infer S }
      ? Called<S, G>
      : D extends abstract new (
            ...use: never
          ) => infer S
        ? S
        : never

/** What others give an operation that has a guard, as the operation tells the compiler: `[caller, input]`. */
export interface Calls<G extends unknown[]> {
  readonly calls?: G
}

/** An operation as others have it: its guard comes before `execute`, and adds to the input what it finds. */
export type Called<S, G extends unknown[]> = [G] extends [never]
  ? S
  : S extends { execute(caller: never, input: never, ...more: infer More): infer A }
    ? Omit<S, 'execute'> & {
        execute(...given: [...G, ...More]): A
        /** Whether its guard lets this caller through; what else it refuses with is not looked at. */
        admits(...given: G): Promise<boolean>
      }
    : S

type Parts<T, K extends PortKind> = K extends 'contribution' ? readonly T[] : T

/**
 * A class that names its dependencies once, in `inject`, and gets them as one object:
 * `static readonly inject = { items: ItemStore }` and `constructor(private readonly use: Injected<typeof X.inject>) {}`.
 */
export interface Service<T, I extends Dependencies> {
  new (use: Injected<I>): T
  readonly inject: I
}

/** Any service class; `Wired` checks that its constructor takes what it asks for. */
export type AnyService = Newable<object> & { readonly inject?: Dependencies }

/** Does not compile for a class whose constructor takes something else than its `inject` names. */
export type Wired<C> = C extends { readonly inject: infer I; new (use: infer U): object }
  ? Injected<I> extends U
    ? C
    : never
  : C extends new () => object
    ? C
    : never

/** What stands behind a port, and how it is made. */
export interface Binding {
  readonly port: AnyPort
  /** The class whose instance it is; the same instance for every port and for whoever asks for the class. */
  readonly Class?: AnyService
  readonly inject: Dependencies
  readonly make: (use: Readonly<Record<string, unknown>>) => unknown
  readonly close?: (part: unknown) => unknown
}

/** How a part is made where a class with `inject` does not say it. */
export interface Recipe<T, I extends Dependencies> {
  readonly inject?: I
  make(use: Injected<I>): T
  /** Called when the registry closes, with what was made. */
  close?(part: T): void | Promise<void>
}

/** Puts a part behind a port: a class with `inject`, or a recipe. Of the wrong type it does not compile. */
export function provide<T, M extends T, I extends Dependencies = Record<never, never>>(
  port: Port<T>,
  part: Service<M, I> | Recipe<M, I>,
): Binding
export function provide(port: AnyPort, part: AnyService | Recipe<unknown, Dependencies>): Binding {
  if (typeof part === 'function') return { port, Class: part, inject: {}, make: () => undefined }
  return {
    port,
    inject: part.inject ?? {},
    make: (use) => part.make(use),
    ...(part.close && { close: (made: unknown) => part.close?.(made) }),
  }
}

/** Puts a value behind a port. */
export const provideValue = <T>(port: Port<T>, value: T): Binding => ({ port, inject: {}, make: () => value })

/** Wraps whatever stands behind a port, such as to measure it. */
export interface Watch {
  readonly port: AnyPort
  wrap(part: unknown): unknown
}

/** Hands the part behind a port to `wrap`, once, and puts what it answers in its place. */
export const watch = <T>(port: Port<T>, wrap: (part: T) => T): Watch => ({ port, wrap })
