/*
 * Hooks for the resolution of modules (`module.register`), which Node runs in a thread of their own. A class or a port is one
 * thing only when there is one copy of core, so a configuration file and its plugins get the host's copy of our packages, wherever
 * they are; and its TypeBox, as a file outside of any project has none.
 */

interface Context {
  readonly parentURL?: string
}

let host = ''
let shared: ReadonlySet<string> = new Set()

/** Takes where the host is, and which packages it shares. */
export function initialize(given: { readonly host: string; readonly shared: readonly string[] }): void {
  host = given.host
  shared = new Set(given.shared)
}

/** Resolves a shared package as the host would. */
export const resolve = <R>(specifier: string, context: Context, next: (specifier: string, context: Context) => R): R =>
  next(specifier, shared.has(packageOf(specifier)) ? { ...context, parentURL: host } : context)

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
