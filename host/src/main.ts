import { commandLine } from './cli/command-line.js'

process.exitCode = await commandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
