import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Folder of inputs and expected verdicts by others: `CONFORMANCE_DIR`, or `shared/conformance` next to the repository. */
export const conformanceDir: string =
  process.env.CONFORMANCE_DIR ?? fileURLToPath(new URL('../../../shared/conformance', import.meta.url))

/** A file of the conformance folder. */
export const conformanceFile = (name: string): Buffer => readFileSync(`${conformanceDir}/${name}`)

/** A JSON file of the conformance folder, in the shape that the caller knows. */
export const conformanceJson = <T>(name: string): T => JSON.parse(conformanceFile(name).toString('utf8')) as T

/** Skips the suite, in plain words, when a part of the conformance folder is absent. Call it in `before`. */
export function requireConformance(context: Mocha.Context, name: string): void {
  if (existsSync(`${conformanceDir}/${name}`)) return
  console.log(`      skipped: no ${name} in ${conformanceDir} (set CONFORMANCE_DIR)`)
  context.skip()
}
