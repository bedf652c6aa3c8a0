import { commandLine } from './cli/command-line.js'

// The reader of the output, such as a log collector, may exit: a server goes on without it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

process.exitCode = await commandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
