import type { Administration } from '@signed-registry/core'
import { loadConfig } from '../../config/load-config.js'
import { type Console, UsageError } from '../console.js'
import { openConfigured } from './open-configured.js'
import { lostWords, renewalWords } from './renewal-words.js'
import { USAGE } from './usage.js'
import { readArguments } from './values.js'

const OPTIONS = {
  json: { type: 'boolean' },
  lost: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** What a command says: `object` is printed with `--json`, `text` without. */
interface Said {
  readonly object: object
  readonly text: string
}

/** Runs `signed-registry admin renewal` and `admin renew`; answers the exit code, and rejects with a `UsageError` for wrong usage. */
export async function runAdminRenewal(
  command: 'renewal' | 'renew',
  args: readonly string[],
  { env, out }: Console,
): Promise<number> {
  const { values, positionals } = parse(args)
  if (values.help) {
    out(USAGE)
    return 0
  }
  if (values.lost && command !== 'renewal') throw new UsageError('Only "admin renewal" takes --lost')
  if (positionals.length > 0) throw new UsageError(`Unexpected argument: ${positionals[0]}`)
  const administration = await openConfigured(await loadConfig(env))
  try {
    const told = values.lost ? lost(administration) : only(COMMANDS[command](administration))
    for await (const { object, text } of told) out(values.json ? `${JSON.stringify(object)}\n` : text)
  } finally {
    await administration.close()
  }
  return 0
}

const parse = (args: readonly string[]) => readArguments(args, OPTIONS)

async function* only(said: Promise<Said>): AsyncGenerator<Said> {
  yield await said
}

async function* lost({ renewal }: Administration): AsyncGenerator<Said> {
  for await (const object of renewal.lost()) yield { object, text: lostWords(object) }
}

const COMMANDS: Readonly<Record<'renewal' | 'renew', (administration: Administration) => Promise<Said>>> = {
  async renewal({ renewal }) {
    const object = await renewal.report()
    return { object, text: renewalWords(object) }
  },
  async renew({ renewal }) {
    if (!(await renewal.report()).isOn) throw new Error('Renewal is off (RENEWAL=off)')
    await renewal.request()
    const { requestedAt } = await renewal.report()
    const words = [
      'Everything is to be renewed: a running registry begins within a minute.',
      'Watch it by "signed-registry admin renewal".',
    ]
    return { object: { requestedAt }, text: `${words.join('\n')}\n` }
  },
}
