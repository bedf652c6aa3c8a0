import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onPath } from '../support/programs.js'

/** Where Debian puts the libraries. */
const LIBRARIES = '/usr/share/java'
const SOURCES = 'test/differential/java'

/** A field of a request or an answer: octets, text, or a list of octets. */
export type Field = Uint8Array | string | readonly Uint8Array[]

/** Skips tests where Java or a library is missing, or fails with REQUIRE_JAVA=1. */
export function requireJava(test: Mocha.Context, jars: readonly string[]): void {
  const missing = jars.filter((jar) => !existsSync(join(LIBRARIES, jar)))
  if (onPath('javac') === undefined) missing.unshift('javac')
  if (missing.length === 0) return
  if (process.env.REQUIRE_JAVA === '1') throw new Error(`REQUIRE_JAVA=1, but not installed: ${missing.join(', ')}`)
  test.skip()
}

/** A program of `test/differential/java` that answers line by line, in the order it is asked. */
export class JavaProgram {
  private readonly waiting: ((line: string) => void)[] = []

  private constructor(private readonly process: ChildProcess) {
    if (process.stdout === null) throw new TypeError('no standard output')
    createInterface({ input: process.stdout }).on('line', (line) => this.waiting.shift()?.(line))
    process.once('exit', () => {
      for (const answer of this.waiting.splice(0)) answer('refused the program has ended')
    })
  }

  /** Compiles its sources, which are those whose names `sources` fits, and starts it. */
  static start(name: string, sources: RegExp, jars: readonly string[]): JavaProgram {
    const classes = mkdtempSync(join(tmpdir(), 'java-'))
    const path = [classes, ...jars.map((jar) => join(LIBRARIES, jar))].join(':')
    const files = readdirSync(SOURCES).filter((file) => sources.test(file))
    const compiling = ['-nowarn', '-d', classes, '-cp', path, ...files.map((file) => join(SOURCES, file))]
    const { status, stderr } = spawnSync('javac', compiling, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`javac: ${stderr}`)
    const options = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', path]
    return new JavaProgram(spawn('java', [...options, name], { stdio: ['pipe', 'pipe', 'inherit'] }))
  }

  /** What it answers; a refusal is a text. */
  async ask(command: string, ...fields: readonly Field[]): Promise<readonly Buffer[][] | string> {
    const line = await new Promise<string>((resolve) => {
      this.waiting.push(resolve)
      this.process.stdin?.write(`${[command, ...fields.map(encoded)].join(' ')}\n`)
    })
    const [word, ...answered] = line.split(' ')
    return word === 'ok' ? answered.map(decoded) : line.slice('refused '.length)
  }

  stop(): void {
    this.process.kill()
  }
}

function encoded(field: Field): string {
  if (typeof field === 'string') return Buffer.from(field).toString('base64')
  const list = field instanceof Uint8Array ? [field] : field
  return list.length === 0 ? '-' : list.map((one) => Buffer.from(one).toString('base64')).join(',')
}

const decoded = (field: string): Buffer[] =>
  field === '-' ? [] : field.split(',').map((one) => Buffer.from(one, 'base64'))
