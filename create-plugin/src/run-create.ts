import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { createPlugin, KINDS, type Kind } from './create-plugin.js'

const list = Object.entries(KINDS)
  .map(([kind, words]) => `  ${kind.padEnd(10)} ${words}`)
  .join('\n')
const USAGE = `Usage: npm create signed-registry-plugin FOLDER -- --kind KIND\n\nKinds\n${list}\n`

const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text)

/** Runs the program: makes a plugin in the folder that is named, and asks for its kind at a terminal; answers the exit code. */
export async function runCreate(args: readonly string[]): Promise<number> {
  try {
    const { folder, kind } = parsed(args)
    const chosen = kind ?? (process.stdin.isTTY ? await ask() : '')
    if (folder === undefined || !isKind(chosen)) {
      process.stderr.write(USAGE)
      return 2
    }
    const files = createPlugin(folder, chosen)
    process.stdout.write(`${files.map((file) => `  ${file}\n`).join('')}\ncd ${folder} && npm install && npm test\n`)
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

function parsed(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { kind: { type: 'string' } },
    allowPositionals: true,
  })
  const [folder, ...more] = positionals
  return { folder: more.length > 0 ? undefined : folder, kind: values.kind }
}

async function ask(): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(`What does it bring?\n${list}\n> `)).trim()
  } finally {
    terminal.close()
  }
}
