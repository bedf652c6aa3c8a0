import { parseArgs } from 'node:util'
import { demo } from '../demo/demo.js'
import type { Console } from './console.js'

export async function runDemoCommand(args: readonly string[], console: Console): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { keep: { type: 'string' } },
    allowPositionals: true,
  })
  await demo({ file: positionals[0], keep: values.keep }, (line) => console.out(`${line}\n`))
  return 0
}
