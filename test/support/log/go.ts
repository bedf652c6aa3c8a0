import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ConsistencyProof, InclusionProof, TreeHead } from '#verifier/log/merkle.js'
import { onPath } from '../programs.js'

/** Where Debian puts packages of Go. */
const PACKAGES = '/usr/share/gocode'
const TLOG = `${PACKAGES}/src/golang.org/x/mod/sumdb/tlog`
const SOURCE = 'test/verifier/log/go/main.go'
const EXAMPLE = 'docs/examples/check-log-proof/main.go'

/** What the program is asked; octets are in base64. */
export type Question =
  | {
      readonly kind: 'inclusion'
      readonly size: number
      readonly root: string
      readonly index: number
      readonly leaf: string
      readonly proof: readonly string[]
    }
  | {
      readonly kind: 'consistency'
      readonly size: number
      readonly root: string
      readonly oldSize: number
      readonly oldRoot: string
      readonly proof: readonly string[]
    }
  | (Tiles & { readonly kind: 'proveInclusion'; readonly index: number })
  | (Tiles & { readonly kind: 'proveConsistency'; readonly oldSize: number })
  | { readonly kind: 'open'; readonly note: string; readonly key: string }
  | { readonly kind: 'sign'; readonly note: string; readonly name: string; readonly seed: string }

/** A tree whose tiles are files of a folder. */
interface Tiles {
  readonly folder: string
  readonly size: number
  readonly root: string
}

export interface Answer {
  /** Why it refuses; absent where it accepts. */
  readonly refused?: string
  readonly proof?: readonly string[]
  readonly text?: string
}

/** Skips tests where Go or its package `mod` is missing, or fails with REQUIRE_GO=1. */
export function requireGo(test: Mocha.Context): void {
  if (onPath('go') !== undefined && existsSync(TLOG)) return
  if (process.env.REQUIRE_GO === '1')
    throw new Error('REQUIRE_GO=1, but golang-go or golang-golang-x-mod-dev is not installed')
  test.skip()
}

let program: string | undefined

/** What Go's `sumdb/tlog` and `sumdb/note` say to these questions, in their order. */
export function askGo(questions: readonly Question[]): readonly Answer[] {
  program ??= compile()
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('')
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1024 ** 3 })
  if (status !== 0) throw new Error(`The program in Go ended with ${status}: ${stderr}`)
  const answers: Answer[] = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  if (answers.length !== questions.length) throw new Error(`${answers.length} answers to ${questions.length} questions`)
  return answers
}

/** Where Go finds the packages that Debian brings, and no others. */
export const goEnvironment = { GO111MODULE: 'off', GOPATH: PACKAGES, GOFLAGS: '', CGO_ENABLED: '0' }

let example: string | undefined

/** Runs `docs/examples/check-log-proof` with these words; does not throw where it proves nothing. */
export async function checkLogProof(...words: readonly string[]): Promise<{ code: number | null; output: string }> {
  example ??= compile(EXAMPLE)
  const child = spawn(example, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, output: out + err }
}

function compile(source = SOURCE): string {
  const made = join(mkdtempSync(join(tmpdir(), 'go-')), 'program')
  // Where HOME is not set, Go would not know where to keep what it compiled.
  const env = { GOCACHE: join(homedir(), '.cache/go-build'), ...process.env, ...goEnvironment }
  const { status, stderr } = spawnSync('go', ['build', '-o', made, source], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`go build: ${stderr}`)
  return made
}

const base64 = (octets: Uint8Array): string => Buffer.from(octets).toString('base64')

/** A proof of inclusion as a question. */
export const askInclusion = ({ size, root, index, leaf, proof }: InclusionProof): Question => ({
  kind: 'inclusion',
  size,
  root: base64(root),
  index,
  leaf: base64(leaf),
  proof: proof.map(base64),
})

/** A proof of consistency as a question. */
export const askConsistency = ({ from, to, proof }: ConsistencyProof): Question => ({
  kind: 'consistency',
  size: to.size,
  root: base64(to.root),
  oldSize: from.size,
  oldRoot: base64(from.root),
  proof: proof.map(base64),
})

/** The tree whose tiles are in a folder, for a question. */
export const tilesIn = (folder: string, { size, root }: TreeHead): Tiles => ({ folder, size, root: base64(root) })
