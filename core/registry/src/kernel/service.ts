import type { AbstractNewable, Newable } from 'inversify'
import type { AnyPort, Port, PortKind } from './port.js'

/** What a class may inject: a port, or another class. */
export type Dependency = AnyPort | AbstractNewable<object>

/** Dependencies by the names that their class uses. */
export type Dependencies = Readonly<Record<string, Dependency>>

/** Resolved dependencies: the part of a port, all parts of a contribution, the one instance of a class. */
export type Injected<I> = { readonly [Name in keyof I]: Resolved<I[Name]> }
type Resolved<D> =
  D extends Port<infer T, infer K>
    ? Parts<T, K>
    : D extends { readonly operation: Calls<infer G, infer A>; new (...use: never): infer S }
      ? Called<S, G, A>
      : D extends abstract new (
            ...use: never
          ) => infer S
        ? S
        : never

/** For the compiler only: the arguments of an operation whose guard checks, and those of its guard, each `[caller, input]`. */
export interface Calls<G extends unknown[], A extends unknown[] = G> {
  readonly calls?: G
  readonly asks?: A
}

/** An operation as callers see it: its guard runs before `execute`, and adds what it finds to the input. */
export type Called<S, G extends unknown[], Q extends unknown[] = G> = [G] extends [never]
  ? S
  : S extends { execute(caller: never, input: never, ...more: infer More): infer A }
    ? Omit<S, 'execute'> & {
        execute(...given: [...G, ...More]): A
        /** Whether its guard lets this caller through. */
        admits(...asked: Q): Promise<boolean>
      }
    : S

type Parts<T, K extends PortKind> = K extends 'contribution' ? readonly T[] : T

/**
 * A class that lists its dependencies in `inject`, and gets them as one object:
 * `static readonly inject = { items: ItemStore }` and `constructor(private readonly use: Injected<typeof X.inject>) {}`.
 */
export interface Service<T, I extends Dependencies> {
  new (use: Injected<I>): T
  readonly inject: I
}

/** Any service class; `Wired` checks that its constructor takes what it injects. */
export type AnyService = Newable<object> & { readonly inject?: Dependencies }

/** Does not compile for a class whose constructor takes something else than its `inject` lists. */
export type Wired<C> = C extends { readonly inject: infer I; new (use: infer U): object }
  ? Injected<I> extends U
    ? C
    : never
  : C extends new () => object
    ? C
    : never

/** A part of a port, and how it is made. */
export interface Binding {
  readonly port: AnyPort
  /** Its class, of which all ports and all who inject the class share one instance. */
  readonly Class?: AnyService
  readonly inject: Dependencies
  readonly make: (use: Readonly<Record<string, unknown>>) => unknown
  readonly close?: (part: unknown) => unknown
}

/** How to make a part that is not a class with `inject`. */
export interface Recipe<T, I extends Dependencies> {
  readonly inject?: I
  make(use: Injected<I>): T
  /** Called when the registry closes, with what was made. */
  close?(part: T): void | Promise<void>
}

/** Binds a class with `inject`, or a recipe, to a port. One of the wrong type does not compile. */
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

/** Binds a value to a port. */
export const provideValue = <T>(port: Port<T>, value: T): Binding => ({ port, inject: {}, make: () => value })

/** Wraps the parts of a port, for example to measure them. */
export interface Watch {
  readonly port: AnyPort
  wrap(part: unknown): unknown
}

/** Replaces a part of a port by what `wrap` makes of it, once. */
export const watch = <T>(port: Port<T>, wrap: (part: T) => T): Watch => ({ port, wrap })
