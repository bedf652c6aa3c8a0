import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Administration, DocumentLogProof } from '@signed-registry/core'
import type { Config } from '../../config/config.js'
import { loadConfig } from '../../config/load-config.js'
import { type Console, UsageError } from '../console.js'
import { logWords, proofWords } from './log-words.js'
import { openConfigured } from './open-configured.js'
import { rotateLogKey } from './rotate-log-key.js'
import { USAGE } from './usage.js'
import { readArguments } from './values.js'

const OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  yes: { type: 'boolean' },
  into: { type: 'string' },
} as const
type Options = ReturnType<typeof parse>['values']

/** A command: `object` is printed with `--json`, `text` without. */
interface Said {
  readonly object: object
  readonly text: string
}
type Command = (administration: Administration, config: Config) => AsyncIterable<Said>

/** Runs `signed-registry admin log`; answers the exit code, and rejects with a `UsageError` for wrong usage. */
export async function runAdminLog(args: readonly string[], { env, out }: Console): Promise<number> {
  const { values, positionals } = parse(args)
  if (values.help) {
    out(USAGE)
    return 0
  }
  const command = readCommand(positionals, values)
  const config = await loadConfig(env)
  const administration = await openConfigured(config)
  try {
    for await (const { object, text } of command(administration, config))
      out(values.json ? `${JSON.stringify(object)}\n` : text)
  } finally {
    await administration.close()
  }
  return 0
}

const parse = (args: readonly string[]) => readArguments(args, OPTIONS)

function readCommand([name, ...operands]: readonly string[], options: Options): Command {
  if (name === undefined) return only(report, operands, 0, options, [])
  if (name === 'resume') {
    if (!options.yes)
      throw new UsageError('This ends the log for good, and everybody who follows it has to be told: say --yes')
    return only(resume, operands, 0, options, ['yes'])
  }
  if (name === 'rotate-key') return only(rotateKey, operands, 0, options, [])
  if (name === 'resume-witness') {
    const [origin] = operands
    if (origin === undefined) throw new UsageError('Name a log by its origin')
    return only(resumeWitness(origin), operands, 1, options, [])
  }
  if (name !== 'prove') throw new UsageError(`There is no command log ${name}`)
  const [document] = operands
  if (document === undefined) throw new UsageError('Name a document')
  return only(prove(document, options.into), operands, 1, options, ['into'])
}

/** Refuses operands and options that a command does not have. */
function only(
  command: Command,
  operands: readonly string[],
  most: number,
  options: Options,
  names: readonly (keyof Options)[],
): Command {
  if (operands.length > most) throw new UsageError(`Unexpected argument: ${operands[most]}`)
  for (const name of Object.keys(options))
    if (name !== 'json' && !names.some((allowed) => allowed === name))
      throw new UsageError(`This command has no option --${name}`)
  return command
}

async function* report({ log }: Administration): AsyncGenerator<Said> {
  const object = await log.report()
  yield { object, text: logWords(object) }
}

async function* resume({ log }: Administration): AsyncGenerator<Said> {
  const object = await log.resume()
  const { ended, origin, size, moved, lost } = object
  const words = [
    `${ended} has ended with its checkpoint of ${size} entries; ${origin} goes on.`,
    `${moved} entries that no checkpoint of the ended log covers are logged again${lost > 0 ? `, and ${lost} are lost` : ''}.`,
    'Tell everybody who follows the log, and its witnesses: its name is another one.',
  ]
  yield { object, text: `${words.join('\n')}\n` }
}

const resumeWitness = (origin: string): Command =>
  async function* ({ log }) {
    const tree = await log.resumeWitness(origin)
    const text =
      tree === undefined
        ? 'The database has all that this host has cosigned of this log.\n'
        : `${origin} is cosigned again, from the tree of ${tree.size} entries that was cosigned last.\n`
    yield { object: { origin, size: tree?.size }, text }
  }

async function* rotateKey(administration: Administration, { log }: Config): AsyncGenerator<Said> {
  if (log === undefined) throw new Error('The log is off (LOG=off)')
  const { keyFile } = log
  const verifierKey = await rotateLogKey(administration, keyFile)
  const words = [
    verifierKey,
    `The log is signed by this key from now on; it is in ${keyFile}, and the former one in ${keyFile}.old.`,
    'Start every host again with it: until then none signs. Tell those who follow the log, and its witnesses.',
  ]
  yield { object: { verifierKey, keyFile }, text: `${words.join('\n')}\n` }
}

const prove = (document: string, folder: string | undefined): Command =>
  async function* ({ proveDocument }) {
    let isWrong = false
    let isAbsent = false
    for await (const one of proveDocument(document)) {
      const { kind, ref, proved } = one
      isWrong ||= proved.state === 'changed' || proved.state === 'broken'
      isAbsent ||= proved.state === 'absent'
      if (proved.state !== 'logged') {
        yield { object: { kind, ref, state: proved.state }, text: proofWords(one) }
        continue
      }
      const { proof, checkpoint, ...facts } = proved
      const stampedAt = checkpoint.stampedAt
      const file = folder === undefined ? undefined : written(folder, one, proof)
      const text = `${proofWords(one)}${file === undefined ? proof : `  ${file}\n`}`
      yield { object: { kind, ref, ...facts, stampedAt, ...(file === undefined ? { proof } : { file }) }, text }
    }
    if (isWrong) throw new Error('The database does not hold what was logged of this document')
    if (isAbsent) throw new Error('Not all of this document is in the log')
  }

function written(folder: string, { kind, ref }: DocumentLogProof, proof: string): string {
  const [, oid] = ref.split(' ')
  const name =
    kind === 'signature' ? `signature-${ref}` : ['digests', oid].filter((part) => part !== undefined).join('-')
  const file = join(folder, `${name}.tlog-proof`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, proof)
  return file
}
