import { commandLine } from './cli/command-line.js'

// Whoever reads the output may go away, such as a collector of logs: a program that serves goes on without.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

process.exitCode = await commandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
