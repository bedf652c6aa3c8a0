import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  type Account,
  type Administration,
  FEATURES,
  openAdministration,
  RegistryError,
  SUBSCRIPTIONS,
} from '@signed-registry/core'
import { ConfigError, readConfig } from '../config.js'
import { report } from './report.js'
import { USAGE, UsageError } from './usage.js'
import { readDate, readName, readOwner, readSize } from './values.js'

/** Where a command takes its environment from and writes to. */
export interface Console {
  readonly env: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
}

const OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  name: { type: 'string' },
  expires: { type: 'string' },
  contact: { type: 'string' },
  enable: { type: 'string', multiple: true },
  disable: { type: 'string', multiple: true },
} as const
type Options = ReturnType<typeof parse>['values']

/** Work that a command line asks for; answers the accounts to show. */
type Command = (administration: Administration) => AsyncIterable<Account>

const PAGE = 100

/** Runs `signed-registry admin`; answers the exit code: 0, 1 when it failed, 2 when it was not understood. */
export async function runAdmin(args: readonly string[], { env, out, err }: Console): Promise<number> {
  try {
    const { values, positionals } = parse(args)
    if (values.help) {
      out(USAGE)
      return 0
    }
    const command = readCommand(positionals, values)
    const administration = await open(env)
    try {
      for await (const account of command(administration)) {
        out(values.json ? `${JSON.stringify(account)}\n` : report(account))
      }
    } finally {
      await administration.close()
    }
    return 0
  } catch (error) {
    err(`${error instanceof Error ? error.message : String(error)}\n`)
    if (!(error instanceof UsageError)) return 1
    err('"signed-registry admin --help" tells more.\n')
    return 2
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readCommand([name, ...operands]: readonly string[], options: Options): Command {
  if (name === 'list') return list(operands, options)
  if (name === 'show') return show(operands, options)
  if (name === 'subscription') return subscription(operands, options)
  if (name === 'quota') return quota(operands, options)
  throw new UsageError(name === undefined ? USAGE : `There is no command ${name}`)
}

/** Refuses operands and options that a command has not. */
function allow(operands: readonly string[], most: number, options: Options, names: readonly (keyof Options)[]): void {
  if (operands.length > most) throw new UsageError(`${operands[most]} is too much`)
  for (const name of Object.keys(options)) {
    if (name !== 'json' && !names.some((allowed) => allowed === name)) {
      throw new UsageError(`--${name} is no option of this command`)
    }
  }
}

function list(operands: readonly string[], options: Options): Command {
  allow(operands, 1, options, [])
  const kind = readName('list', ['organizations', 'users'], operands[0] ?? 'organizations')
  return async function* ({ accounts }) {
    let after = ''
    for (;;) {
      const page = await accounts.execute(kind, after, PAGE)
      yield* page
      after = page.at(-1)?.owner ?? ''
      if (page.length < PAGE) return
    }
  }
}

function show(operands: readonly string[], options: Options): Command {
  allow(operands, 1, options, [])
  const owner = readOwner(operands[0], ['BIN', 'IIN'])
  return async function* ({ accounts }) {
    yield accounts.get(owner)
  }
}

function subscription(operands: readonly string[], options: Options): Command {
  allow(operands, 1, options, ['name', 'expires', 'contact', 'enable', 'disable'])
  const bin = readOwner(operands[0], ['BIN'])
  const { name, expires, contact, enable, disable } = options
  const features = (option: string, texts: readonly string[] | undefined) =>
    texts?.map((text) => readName(option, FEATURES, text))
  const change = {
    name: name === undefined ? undefined : readName('--name', SUBSCRIPTIONS, name),
    expires: expires === undefined ? undefined : (readDate('--expires', expires) ?? 0),
    contactEmail: contact === 'none' ? '' : contact,
    enable: features('--enable', enable),
    disable: features('--disable', disable),
  }
  if (Object.values(change).every((value) => value === undefined)) throw new UsageError('Nothing to change')
  return async function* ({ setSubscription, accounts }) {
    await setSubscription.execute(bin, change).catch((error: unknown) => {
      if (error instanceof RegistryError)
        throw new UsageError(`--contact takes an e-mail address or none, not ${contact}`)
      throw error
    })
    yield accounts.get(bin)
  }
}

function quota(operands: readonly string[], options: Options): Command {
  allow(operands, 2, options, ['expires'])
  const owner = readOwner(operands[0], ['BIN', 'IIN'])
  const bytes = readSize(operands[1])
  const expires = options.expires === undefined ? undefined : readDate('--expires', options.expires)
  return async function* (administration) {
    await administration.setArchiveQuota(owner, { bytes, expires })
    yield administration.accounts.get(owner)
  }
}

function open(env: Console['env']): Promise<Administration> {
  const { databaseUrl } = readConfig(env)
  const file = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined
  // A mistyped folder must not become a new and empty registry.
  if (file !== undefined && !existsSync(file)) {
    throw new ConfigError(`There is no database at ${file}: set DATABASE_URL or DATA_DIR as for the registry`)
  }
  return openAdministration({ database: databaseUrl })
}
