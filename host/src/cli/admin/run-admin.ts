import { type Account, type Administration, FEATURES, RegistryError, SUBSCRIPTIONS } from '@signed-registry/core'
import { loadConfig } from '../../config/load-config.js'
import { type Console, UsageError } from '../console.js'
import { openConfigured } from './open-configured.js'
import { runAdminLog } from './run-admin-log.js'
import { runAdminRenewal } from './run-admin-renewal.js'
import { USAGE } from './usage.js'
import { readArguments, readDate, readName, readOwner, readSize } from './values.js'

const OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  name: { type: 'string' },
  expires: { type: 'string' },
  contact: { type: 'string' },
  enable: { type: 'string', multiple: true },
  disable: { type: 'string', multiple: true },
  'delete-unknown': { type: 'boolean' },
  channel: { type: 'string' },
  owner: { type: 'string' },
  since: { type: 'string' },
} as const
type Options = ReturnType<typeof parse>['values']

/** What a command does; answers what to print: accounts, or anything else as JSON. */
type Command = (administration: Administration) => AsyncIterable<Account | object>

const PAGE = 100
/** How many of the largest users of each resource are shown. */
const MAX_SHOWN = 20

/** Runs `signed-registry admin`; answers the exit code: 0, 1 when it failed, 2 for wrong usage. */
export async function runAdmin(args: readonly string[], console: Console): Promise<number> {
  const { env, out, err } = console
  try {
    const [first, ...rest] = args
    if (first === 'log') return await runAdminLog(rest, console)
    if (first === 'renewal' || first === 'renew') return await runAdminRenewal(first, rest, console)
    const { values, positionals } = parse(args)
    if (values.help) {
      out(USAGE)
      return 0
    }
    const command = readCommand(positionals, values)
    const administration = await openConfigured(await loadConfig(env))
    try {
      for await (const account of command(administration)) {
        out(values.json || !('isKnown' in account) ? `${JSON.stringify(account)}\n` : report(account))
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

const parse = (args: readonly string[]) => readArguments(args, OPTIONS)

function readCommand([name = '', ...operands]: readonly string[], options: Options): Command {
  const read = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (read === undefined) throw new UsageError(name === '' ? USAGE : `There is no command ${name}`)
  return read(operands, options)
}

/** Refuses operands and options that a command does not have. */
function allow(operands: readonly string[], most: number, options: Options, names: readonly (keyof Options)[]): void {
  if (operands.length > most) throw new UsageError(`Unexpected argument: ${operands[most]}`)
  for (const name of Object.keys(options)) {
    if (name !== 'json' && !names.some((allowed) => allowed === name)) {
      throw new UsageError(`This command has no option --${name}`)
    }
  }
}

function list(operands: readonly string[], options: Options): Command {
  allow(operands, 1, options, [])
  const kind = readName('list', ['organizations', 'users'], operands[0] ?? 'organizations')
  return async function* ({ accounts }) {
    let after = ''
    for (;;) {
      const page = await accounts.page(kind, after, PAGE)
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
  return async function* ({ changeSubscription, accounts }) {
    await changeSubscription(bin, change).catch((error: unknown) => {
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
  const [, size] = operands
  const isMore = size?.startsWith('+') ?? false
  const given = readSize(isMore ? size?.slice(1) : size)
  if (isMore && given === undefined) throw new UsageError(`Give a size such as +2GiB; not ${size}`)
  const expires = options.expires === undefined ? undefined : readDate('--expires', options.expires)
  return async function* (administration) {
    const before = isMore ? await administration.accounts.get(owner) : undefined
    const bytes = before ? before.dataArchiveQuota + (given ?? 0) : given
    const end = options.expires === undefined ? before?.dataArchiveQuotaExpires : expires
    await administration.setArchiveQuota(owner, { bytes, expires: end })
    yield administration.accounts.get(owner)
  }
}

function changes(operands: readonly string[], options: Options): Command {
  allow(operands, 1, options, [])
  const owner = readOwner(operands[0], ['BIN', 'IIN'])
  return (administration) => administration.changes(owner)
}

function checkAudit(operands: readonly string[], options: Options): Command {
  allow(operands, 1, options, [])
  const [kept] = operands
  if (kept !== undefined && !/^[0-9a-f]{64}$/.test(kept))
    throw new UsageError(`${kept} is not a hash printed by check-audit`)
  return async function* (administration) {
    const check = await administration.checkAudit(kept)
    yield check
    const { broken, hasKept } = check
    if (broken)
      throw new Error(`The audit was changed after event ${broken.after}, by event ${broken.upTo} at the latest`)
    if (hasKept === false) throw new Error(`The audit was rewritten: its chain does not contain ${kept}`)
  }
}

function checkArchive(operands: readonly string[], options: Options): Command {
  allow(operands, 0, options, ['delete-unknown'])
  return async function* (administration) {
    const archive = administration.archive()
    let problems = 0
    for await (const finding of archive.findings()) {
      if (finding.kind === 'progress') yield finding
      else if (finding.kind === 'unknown' && options['delete-unknown']) {
        await archive.deleteUnknown(finding.key)
        yield { ...finding, deleted: true }
      } else {
        problems += 1
        yield { ...finding, advice: ADVICE[finding.kind] }
      }
    }
    if (problems > 0) throw new Error(`The archive and the database differ in ${problems} places`)
  }
}

function shares(operands: readonly string[], options: Options): Command {
  allow(operands, 0, options, [])
  return (administration) => administration.shares(MAX_SHOWN)
}

function deliveries([first = 'failed', ...ids]: readonly string[], options: Options): Command {
  const { channel, owner } = options
  if (first !== 'retry') {
    allow(ids, 0, options, ['channel', 'owner'])
    const state = readName('deliveries', ['failed', 'waiting', 'sending', 'delivered'], first)
    return async function* (administration) {
      // Bodies may contain data about documents and people.
      for await (const { payload: _, ...delivery } of administration.deliveries({ state, channel, owner }))
        yield delivery
    }
  }
  allow([], 0, options, ids.length > 0 ? [] : ['channel', 'owner', 'since'])
  const since = options.since === undefined ? undefined : readDate('--since', options.since)
  return async function* ({ retryDeliveries }) {
    const retried = await retryDeliveries(ids.length > 0 ? { ids } : { channel, owner, since })
    yield { retried }
    if (retried < ids.length) throw new Error(`${ids.length - retried} of them are unknown or under way just now`)
  }
}

/** An account in a few readable lines. */
function report({ owner, isKnown, subscription, ...archive }: Account): string {
  const { dataArchiveUsage, dataArchiveQuota, dataArchiveQuotaExpires } = archive
  const until = dataArchiveQuotaExpires === undefined ? '' : `, until ${date(dataArchiveQuotaExpires)}`
  const lines = [
    isKnown ? owner : `${owner} (the registry has not met it yet; these are the defaults)`,
    `  archive       ${dataArchiveUsage} of ${dataArchiveQuota} bytes${until}`,
  ]
  if (subscription) {
    const { name, expires, contactEmail, features } = subscription
    const off = features.filter(({ enabled }) => !enabled).map(({ name }) => name)
    lines.push(`  subscription  ${name}, ${expires === 0 ? 'without expiry' : `until ${date(expires)}`}`)
    lines.push(`  contact       ${contactEmail ?? 'none'}`)
    lines.push(`  features      ${off.length === 0 ? 'all on' : `all on but ${off.join(', ')}`}`)
  }
  return `${lines.join('\n')}\n`
}

const date = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z')

const COMMANDS: Readonly<Record<string, (operands: readonly string[], options: Options) => Command>> = {
  ...{ list, show, subscription, quota, changes, deliveries, shares },
  'check-audit': checkAudit,
  'check-archive': checkArchive,
}

/** What to do about a finding. */
const ADVICE = {
  missing: 'restore the object from a backup of the archive; without one, the document has only its hashes',
  damaged:
    'restore the object from a backup of the archive; with encryption, check first that ARCHIVE_KEYS has its key',
  unknown:
    'left by a database that was restored from an older backup: restore a newer one, or run this with --delete-unknown',
  usage: 'tell the maintainers: this quota is charged with other bytes than it stores',
  share: 'tell the maintainers, unless it differs only while uploads are under way',
} as const
