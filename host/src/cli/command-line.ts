import { readFileSync } from 'node:fs'
import { verifyCommand } from '@signed-registry/verifier/command'
import { takeConfig } from '../config/config-file.js'
import { startupFault } from '../config/startup-fault.js'
import { runAdmin } from './admin/run-admin.js'
import { auditLog } from './audit-log/audit-log.js'
import { writeClient } from './client.js'
import { type Console, UsageError } from './console.js'
import { backup, migrate } from './database.js'
import { runDemoCommand } from './demo.js'
import { doctor } from './doctor.js'
import { start } from './start.js'

/** A command of the program. `run` answers the exit code. */
export interface Command {
  readonly takes: string
  readonly summary: string
  run(args: readonly string[], console: Console): Promise<number>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { takes: '', summary: 'run the registry (also without any command)', run: start },
  demo: {
    takes: '[FILE] [--keep FOLDER]',
    summary: 'register, verify and export a signed document',
    run: runDemoCommand,
  },
  admin: { takes: '…', summary: 'subscriptions, quotas, deliveries, the log: "admin --help"', run: runAdmin },
  backup: { takes: 'FILE', summary: 'copy the SQLite database of a running registry', run: backup },
  migrate: {
    takes: 'status | up [--dry-run]',
    summary: 'show the database schema or bring it up to date',
    run: migrate,
  },
  doctor: { takes: '', summary: 'check that the registry has everything it needs', run: doctor },
  client: { takes: 'FILE', summary: 'write a typed client with the operations of plugins', run: writeClient },
  verify: {
    takes:
      'FILE... [--trust PATH] [--details | --json] [--report FILE] [--key FILE] [--policy FILE] [--tsa-expiry accept] [--revocation chain] [--algorithms FILE]',
    summary: 'verify signatures, signed documents and evidence bundles offline',
    run: verifyCommand,
  },
  'audit-log': {
    takes: 'URL [--key VKEY | --key FILE] [--state FILE] [--policy FILE] [--with-database [URL]] [--json]',
    summary: 'follow the log of a registry: that it only grows, and that nothing logged was changed',
    run: (args, console) => auditLog(args, console),
  },
  completion: { takes: 'bash | zsh', summary: 'print a script for shell completion', run: completion },
}

/** Runs `signed-registry`; answers the exit code: 0, 1 when it failed, 2 for wrong usage, or what else the command says. */
export async function commandLine(given: readonly string[], { env: variables, ...streams }: Console): Promise<number> {
  const { args: words, env, isWithoutFile } = takeConfig(given, variables)
  const [word = 'start', ...args] = words
  const console = { env, ...streams }
  if (isWithoutFile) {
    console.err(`--config takes a file\n\n${usage()}`)
    return 2
  }
  if (word === 'help' || word === '--help' || word === '-h') {
    console.out(usage())
    return 0
  }
  if (word === '--version' || word === '-v') {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    console.out(`${version}\n`)
    return 0
  }
  const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined
  if (command === undefined) {
    console.err(`There is no command ${word}.\n\n${usage()}`)
    return 2
  }
  try {
    return await command.run(args, console)
  } catch (error) {
    const fault = startupFault(error)
    const reason = fault instanceof Error ? fault.message : String(fault)
    console.err(`${reason}\n`)
    if (error instanceof UsageError) console.err(`Usage: signed-registry ${word} ${command.takes}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

function usage(): string {
  const rows = Object.entries(COMMANDS).map(([word, { takes, summary }]) => [`${word} ${takes}`.trim(), summary])
  rows.push(['help, --version', 'print this text or the version'])
  const width = Math.max(...rows.map(([words = '']) => words.length))
  const lines = rows.map(([words = '', summary]) => `  ${words.padEnd(width)}  ${summary}`)
  return `Usage: signed-registry [command]\n\n${lines.join('\n')}\n\nEverything is configured by environment variables, and by registry.config.js in the working directory or --config FILE\n(docs/configuration.md).\n`
}

/** Prints a completion script for a shell: `source <(signed-registry completion bash)`. */
async function completion([shell]: readonly string[], { out }: Console): Promise<number> {
  const words = [...Object.keys(COMMANDS), 'help'].join(' ')
  if (shell === 'bash') out(`complete -o default -W '${words}' signed-registry\n`)
  else if (shell === 'zsh') out(`#compdef signed-registry\n_arguments '1:command:(${words})' '*:file:_files'\n`)
  else throw new UsageError('Give bash or zsh')
  return 0
}
