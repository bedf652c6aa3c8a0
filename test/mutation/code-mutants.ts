import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'

/** One line of the compiled registry, and what it says instead. */
export interface CodeMutant {
  /** From the folder of the compiled registry, such as `routing/move-items.js`. */
  readonly file: string
  readonly line: number
  readonly before: string
  readonly after: string
}

const compiled = new URL('../../core/registry/dist/', import.meta.url)

export const addressOf = (file: string): string => new URL(file, compiled).href

/** What makes a line say something else. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  // A call whose answer nobody needs is left out.
  [/^( *)(?:await )?(?:this|[a-z]\w*)[.(][^=]*\);$/g, '$1;'],
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ (?=[\da-z])/g, ' - '],
  [/ - (?=[\da-z])/g, ' + '],
  [/\bif \(/g, 'if (false && '],
  [/\bif \(!/g, 'if ('],
  [/ \? /g, ' && false ? '],
  [/\breturn true;/g, 'return false;'],
  [/\breturn false;/g, 'return true;'],
]

const NO_CODE = /^(?:words|errors|limits|schema|index|area)\b|^(?:.*-worker)\.js$/
const isText = (line: string, index: number) => (line.slice(0, index).match(/['"`]/g) ?? []).length % 2 === 1

/** Every mutant of an area that is JavaScript still, in an order that depends on the seed and on nothing but the mutant. */
export function mutantsOf(area: string, seed: string): CodeMutant[] {
  const found = new Map<string, CodeMutant>()
  for (const name of readdirSync(new URL(area, compiled)).filter((one) => one.endsWith('.js') && !NO_CODE.test(one)))
    for (const mutant of mutantsOfFile(`${area}/${name}`))
      found.set(
        createHash('sha256')
          .update(`${seed} ${nameOf(mutant)}`)
          .digest('hex'),
        mutant,
      )
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, mutant]) => mutant)
}

/** What it is called where survivors are listed. */
export const nameOf = ({ file, before, after }: CodeMutant): string => `${file}: ${before.trim()} → ${after.trim()}`

function* mutantsOfFile(file: string): Generator<CodeMutant> {
  for (const [index, before] of readFileSync(new URL(file, compiled), 'utf8').split('\n').entries()) {
    if (/^\s*(?:\/\/|\/?\*)|^(?:import|export) .* from /.test(before)) continue
    for (const [pattern, replacement] of CHANGES)
      for (const { index: at } of before.matchAll(pattern)) {
        const there = new RegExp(pattern.source, 'y')
        there.lastIndex = at
        if (!isText(before, at)) yield { file, line: index + 1, before, after: before.replace(there, replacement) }
      }
  }
}

/** The text of a module with a mutant in it. */
export const mutated = (source: string, { line, after }: CodeMutant): string =>
  source
    .split('\n')
    .with(line - 1, after)
    .join('\n')

/** Whether it is a program at all. */
export function parses(mutant: CodeMutant): boolean {
  try {
    return transformSync(mutated(readFileSync(new URL(mutant.file, compiled), 'utf8'), mutant)).code !== ''
  } catch {
    return false
  }
}
