import { anonymous } from '@signed-registry/core'

import { FixDigests } from '@signed-registry/core/documents'
import { openDatabase } from '#core/database/open.js'
import { archiveAt } from './archive-at.js'
import { registryWithoutAuthorities } from './core-registry.js'
import { killAt } from './kill-at.js'
import { testClock } from './pki/authorities.js'

// Uploads an original of zeros that is to be archived, and kills its own process at the given moment. Ends with 0 when it is
// done before that moment.
const [url = '', where = '', id = '', size = '', time = '', moment = ''] = process.argv.slice(2)
const knex = openDatabase(url)
const registry = await registryWithoutAuthorities(knex, { clock: testClock(Number(time)) }, [archiveAt(where)])
const zeros = killAt(Number(moment), knex)
await registry.get(FixDigests).execute(anonymous, { id, upload: { size: Number(size), stream: zeros(Number(size)) } })
process.exit(0)
