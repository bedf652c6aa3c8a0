import { type AbstractNewable, Container, type ServiceIdentifier } from 'inversify'
import type { ErrorCatalogue, ErrorKind } from './error.js'
import { type AnyOperation, guarded, type OperationSpec, refusalsOf } from './operation.js'
import type { Part } from './part.js'
import { type AnyPort, type Port, port } from './port.js'
import { type AnyTask, Tasks } from './schedule.js'
import {
  type AnyService,
  type Binding,
  type Called,
  type Calls,
  type Dependencies,
  type Dependency,
  provide,
  provideValue,
} from './service.js'

/** The errors that a part, a plugin or a host can answer, for `GET /api/strings`. */
export const ErrorTexts = port<ErrorCatalogue>('ErrorTexts', 'contribution')

/** An operation of a registry, ready to be executed. */
export interface RegisteredOperation extends OperationSpec {
  readonly Class: AnyOperation
  /** The errors that it refuses with, in the catalogues of the registry. */
  readonly refusals: readonly { readonly code: string; readonly kind: ErrorKind }[]
}

/** Returns an operation with its guard, another class, or the part of a port. */
export interface Get {
  <T, G extends unknown[], A extends unknown[]>(
    id: AbstractNewable<T> & { readonly operation: Calls<G, A> },
  ): Called<T, G, A>
  <T>(id: Identifier<T>): T
}

/** What names one part. */
export type Identifier<T> = Port<T, 'required'> | Port<T, 'defaulted'> | AbstractNewable<T>

/** The parts of ports and the services of a registry, each made when it is first needed. */
export interface Composition {
  get: Get
  readonly operations: readonly RegisteredOperation[]
  /** Makes every part of a single port now, so that failures show at the start. */
  makeAll(): void
  /** Closes what was made. */
  close(): Promise<void>
}

/** A part and the rank of its bindings: the highest rank wins a single port. */
interface Source {
  readonly name: string
  readonly rank: 'area' | 'givesWay' | 'plugin'
  readonly part: Part
}
const RANKS = ['area', 'givesWay', 'plugin']

/**
 * Composes parts. Areas bring defaults; a plugin or an option that binds the same single port takes their place, and the
 * place of a plugin that gives way.
 * A `TypeError` names every required port without a part, with who needs it, and every single port that two plugins bind.
 */
export function compose(areas: readonly Part[], plugins: readonly Part[]): Composition {
  plugins.forEach(assertPart)
  const sources: Source[] = [
    ...areas.map((part) => ({ name: part.name, rank: 'area' as const, part })),
    ...plugins.map((part) => ({
      name: part.name,
      rank: part.givesWay ? ('givesWay' as const) : ('plugin' as const),
      part,
    })),
  ]
  const parts = sources.map(({ part }) => part)
  const operations = parts.flatMap((part) => part.operations ?? [])
  const tasks = parts.flatMap((part) => part.tasks ?? [])
  const classes = new Set<AnyService>([...parts.flatMap((part) => part.services ?? []), ...operations, ...tasks])
  const own: Source = {
    name: 'core',
    rank: 'area',
    part: { name: 'core', provides: [taskList(tasks), ...texts(parts)] },
  }
  const bindings = chosenBindings([...sources, own])
  for (const { Class } of bindings) if (Class !== undefined) classes.add(Class)
  assertComplete(bindings, classes)

  const container = new Container({ defaultScope: 'Singleton' })
  for (const Class of classes) isOperation(Class) ? bindOperation(container, Class) : bindClass(container, Class)
  for (const binding of bindings) bindPort(container, binding)
  for (const one of parts.flatMap((part) => part.watches ?? [])) {
    container.onActivation<unknown>(one.port.id, (_context, made) => one.wrap(made))
  }
  return {
    get: <T>(id: Identifier<T>) => container.get(identifier(id)),
    operations: operationsOf(parts),
    makeAll() {
      for (const { port: bound } of bindings) if (bound.kind !== 'contribution') container.get(bound.id)
    },
    close: () => container.unbindAllAsync(),
  }
}

function assertPart(part: unknown): asserts part is Part {
  if (typeof part === 'function') {
    throw new TypeError(
      `A plugin is a value: call the factory${part.name && ` ${part.name}`}, as in ${part.name || 'plugin'}({ … })`,
    )
  }
  if (typeof part !== 'object' || part === null || !('name' in part))
    throw new TypeError('A plugin is made by definePlugin')
}

/** The binding of the highest rank for each single port; two of one rank are refused. */
function chosenBindings(sources: readonly Source[]): Binding[] {
  const single = new Map<symbol, { source: Source; binding: Binding }>()
  const doubled: string[] = []
  const contributed: { readonly source: Source; readonly binding: Binding }[] = []
  for (const source of sources) {
    for (const binding of source.part.provides ?? []) {
      const { port: bound } = binding
      if (bound.kind === 'contribution') contributed.push({ source, binding })
      else {
        const before = single.get(bound.id)
        const difference = before === undefined ? 1 : RANKS.indexOf(source.rank) - RANKS.indexOf(before.source.rank)
        if (difference === 0) doubled.push(`${bound.name} is provided by ${before?.source.name} and by ${source.name}`)
        if (difference > 0) single.set(bound.id, { source, binding })
      }
    }
  }
  if (doubled.length > 0)
    throw new TypeError(
      `One port, two parts: ${doubled.join('; ')}. Leave one of them out, or let it give way: givingWay(plugin).`,
    )
  const winners = new Set([...single.values()].map(({ source }) => source))
  // Who has given way in everything is not in use: what it would tell of itself would mislead.
  const isInUse = (source: Source) =>
    source.rank !== 'givesWay' ||
    winners.has(source) ||
    !source.part.provides?.some(({ port: { kind } }) => kind !== 'contribution')
  const many = contributed.filter(({ source }) => isInUse(source))
  return [...[...single.values()], ...many].map(({ binding }) => binding)
}

/** Refuses a composition in which a port is injected that nobody provides. */
function assertComplete(bindings: readonly Binding[], classes: ReadonlySet<AnyService>): void {
  const provided = new Set(bindings.map(({ port: bound }) => bound.id))
  const missing = new Map<string, Set<string>>()
  const need = (user: string, inject: Dependencies = {}) => {
    for (const dependency of Object.values(inject)) {
      if (!isPort(dependency) || dependency.kind === 'contribution' || provided.has(dependency.id)) continue
      missing.set(dependency.name, (missing.get(dependency.name) ?? new Set()).add(user))
    }
  }
  for (const Class of classes) {
    need(Class.name, Class.inject)
    if (isOperation(Class)) need(Class.name, Class.operation.who.inject)
  }
  for (const { port: bound, inject } of bindings) need(bound.name, inject)
  if (missing.size === 0) return
  const named = [...missing].map(([name, users]) => `${name} (for ${[...users].join(', ')})`)
  throw new TypeError(`No plugin provides: ${named.join(', ')}`)
}

const identifier = <T>(one: Port<T> | AbstractNewable<T>): ServiceIdentifier<T> =>
  typeof one === 'function' ? one : one.id

const injected = (dependency: Dependency) => {
  if (!isPort(dependency)) return { serviceIdentifier: dependency }
  if (dependency.kind !== 'contribution') return { serviceIdentifier: dependency.id }
  return { serviceIdentifier: dependency.id, isMultiple: true, optional: true } as const
}

const isPort = (dependency: Dependency): dependency is AnyPort => typeof dependency !== 'function'

function bindClass(container: Container, Class: AnyService): void {
  bindMade(container, Class, Class.inject ?? {}, (use) => Reflect.construct(Class, [use]))
}

const isOperation = (Class: AnyService): Class is AnyOperation => 'operation' in Class

/** Binds an operation with its guard, which has dependencies of its own. */
function bindOperation(container: Container, Class: AnyOperation): void {
  const { id, who } = Class.operation
  const ofGuard = Object.entries(who.inject ?? {})
  const inject = { ...Class.inject, ...Object.fromEntries(ofGuard.map(([name, asked]) => [`guard ${name}`, asked])) }
  bindMade(container, Class, inject, (use) =>
    guarded(new Class(use), id, who, Object.fromEntries(ofGuard.map(([name]) => [name, use[`guard ${name}`]]))),
  )
}

function bindPort(container: Container, { port: bound, Class, inject, make, close }: Binding): void {
  if (Class !== undefined) {
    container
      .bind(bound.id)
      .toResolvedValue((made: unknown) => made, [Class])
      .inSingletonScope()
    return
  }
  // Closes what was made, not what a watch has wrapped around it.
  let made: unknown
  const bind = bindMade(container, bound.id, inject, (use) => {
    made = make(use)
    return made
  })
  if (close) bind.onDeactivation(async () => void (await close(made)))
}

function bindMade(
  container: Container,
  id: ServiceIdentifier,
  inject: Dependencies,
  make: (use: Readonly<Record<string, unknown>>) => unknown,
) {
  const names = Object.keys(inject)
  const isMany = Object.values(inject).map((one) => isPort(one) && one.kind === 'contribution')
  return container
    .bind(id)
    .toResolvedValue(
      (...parts: unknown[]) =>
        make(Object.fromEntries(names.map((name, n) => [name, isMany[n] ? (parts[n] ?? []) : parts[n]]))),
      Object.values(inject).map(injected),
    )
    .inSingletonScope()
}

const pathOf = ({ operation }: AnyOperation): string => operation.at.replace(/^\w+ /, '')

/** Operations by part and path, with their refusals. Names and addresses must be unique, and codes stand in a catalogue. */
export function operationsOf(parts: readonly Part[]): RegisteredOperation[] {
  const kinds = new Map(parts.flatMap(({ errors = [] }) => errors.flatMap(({ texts }) => Object.entries(texts))))
  const known = new Set<string>()
  return parts
    .flatMap(({ operations = [] }) => operations.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1)))
    .map((Class) => {
      const { id, at, aliases = [] } = Class.operation
      for (const name of [id, at, ...aliases.map((alias) => alias.at)]) {
        if (known.has(name)) throw new TypeError(`Two operations are called ${name}`)
        known.add(name)
      }
      const unknown = Class.operation.refuses?.find((code) => !kinds.has(code))
      if (unknown !== undefined) throw new TypeError(`${id} refuses with ${unknown}, which no catalogue has`)
      const refusals = refusalsOf(Class.operation).flatMap((code) => {
        const kind = kinds.get(code)?.kind
        return kind === undefined ? [] : [{ code, kind }]
      })
      return { ...Class.operation, Class, refusals }
    })
}

const texts = (parts: readonly Part[]) =>
  parts.flatMap((part) => part.errors ?? []).map((catalogue) => provideValue(ErrorTexts, catalogue.texts))

function taskList(tasks: readonly AnyTask[]): Binding {
  const names = tasks.map(({ task }) => task.name)
  const twice = names.find((name, n) => names.indexOf(name) < n)
  if (twice !== undefined) throw new TypeError(`Two tasks are called ${twice}`)
  const inject: Readonly<Record<string, AnyTask>> = Object.fromEntries(tasks.map((Class) => [Class.task.name, Class]))
  return provide(Tasks, {
    inject,
    make: (use) =>
      tasks.flatMap(({ task }) => {
        const work = use[task.name]
        return work ? [{ ...task, run: (stopping: AbortSignal) => work.run(stopping) }] : []
      }),
  })
}
