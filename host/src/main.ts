import cluster from 'node:cluster'
import { commandLine } from './cli/command-line.js'

// The reader of the output, such as a log collector, may exit: a server goes on without it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

process.exitCode = await commandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})

// The channel to the process that started a worker would keep it alive.
if (cluster.isWorker) process.exit()
