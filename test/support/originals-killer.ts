import { anonymous, FixDigests } from '@signed-registry/core'
import { openDatabase } from '#core/database/open.js'
import { archiveAt } from './archive-at.js'
import { registryWithoutAuthorities } from './core-registry.js'
import { testClock } from './pki/authorities.js'

// Uploads an original of zeros that is to be archived, and kills its own process at the given moment: moments are statements
// of the database and chunks of the upload. Ends with 0 when it is done before that moment.
const [url = '', where = '', id = '', size = '', time = '', moment = ''] = process.argv.slice(2)
let left = Number(moment)
const tick = () => {
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}
const knex = openDatabase(url)
const registry = await registryWithoutAuthorities(knex, { clock: testClock(Number(time)) }, [archiveAt(where)])
const chunk = Buffer.alloc(256 * 1024)
async function* stream() {
  for (let rest = Number(size); rest > 0; rest -= chunk.length) {
    tick()
    yield chunk.subarray(0, Math.min(rest, chunk.length))
  }
}
knex.on('query', tick)
await registry.get(FixDigests).execute(anonymous, { id, upload: { size: Number(size), stream: stream() } })
process.exit(0)
