import { readSync, writeSync } from 'node:fs'
import { provideValue } from '@signed-registry/core'
import { Database } from '#core/database/database.js'
import { databaseFailure, isRetryable } from '#core/database/dialect.js'
import { openDatabase } from '#core/database/open.js'
import { LogEntries } from '#core/log/log-entries.js'
import { defaultLogTimes, LogTimes, LogWorker } from '#core/log/log-worker.js'
import { registryWithoutAuthorities } from './core-registry.js'

// A host that logs facts and integrates them, until it is killed or freezes before a statement of the database, or has done its
// rounds. It writes a line for each fact whose transaction was committed.
const [url = '', folder = '', key = '', moment = '0', fate = 'kill', rounds = '1000'] = process.argv.slice(2)
const MOST_FACTS = 5
let left = Number(moment)
const knex = openDatabase(url)
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const times = { ...defaultLogTimes, turnMs: 0 }
const registry = await registryWithoutAuthorities(
  knex,
  { log: { key, folder, origin: 'log.example/killed' }, logger: quiet },
  [{ name: 'times', provides: [provideValue(LogTimes, times)] }],
)
knex.on('query', () => {
  left -= 1
  if (left !== 0) return
  if (fate === 'kill') process.kill(process.pid, 'SIGKILL')
  // Blocks the whole process until its input ends.
  readSync(0, new Uint8Array(1))
})
writeSync(1, 'ready\n')
async function round(): Promise<void> {
  const refs = Array.from(
    { length: 1 + Math.floor(Math.random() * MOST_FACTS) },
    () => `${process.pid} ${Math.random()}`,
  )
  await registry.get(Database).transaction(async () => {
    await registry
      .get(LogEntries)
      .append(refs.map((ref) => ({ kind: 'seal', ref, fields: [['hash', ref.replace(' ', '/')]] })))
  })
  for (const ref of refs) writeSync(1, `logged ${ref}\n`)
  await registry.get(LogWorker).run()
}

writeSync(1, 'ready\n')
for (let done = 0; done < Number(rounds); done += 1) {
  await round().catch((error: unknown) => {
    // One host waits too long for a lock of the frozen one, whose connection the database then ends.
    if (!isRetryable(error) && databaseFailure(error) === undefined) throw error
  })
}
writeSync(1, 'done\n')
process.exit(0)
