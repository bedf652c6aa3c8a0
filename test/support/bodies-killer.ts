import { anonymous } from '@signed-registry/core'

import { BeginRawProcedure } from '@signed-registry/core/procedures'
import { openDatabase } from '#core/database/open.js'
import { ProcedureBodies } from '#core/procedures/bodies.js'
import { FindProcedure } from '#core/procedures/find-procedure.js'
import { archiveAt } from './archive-at.js'
import { registryWithoutAuthorities } from './core-registry.js'
import { killAt } from './kill-at.js'
import { testClock } from './pki/authorities.js'

// Begins a raw procedure, keeps bodies of zeros for it and drops the first, and kills its own process at the given moment.
// Ends with 0 when it is done before that moment.
const [url = '', where = '', size = '', time = '', moment = ''] = process.argv.slice(2)
const knex = openDatabase(url)
const registry = await registryWithoutAuthorities(knex, { clock: testClock(Number(time)) }, [archiveAt(where)])
const zeros = killAt(Number(moment), knex)
const { dataURL } = await registry.get(BeginRawProcedure).execute(anonymous, { request: { description: '' } })
const procedure = await registry.get(FindProcedure).bySecret('callerKey', dataURL.split('/').at(-1) ?? '')
const bodies = registry.get(ProcedureBodies)
const first = await bodies.keep(procedure, 'data', { stream: zeros(Number(size)) }, Number.POSITIVE_INFINITY)
await bodies.keep(procedure, 'data', { stream: zeros(Number(size)), size: Number(size) }, Number.POSITIVE_INFINITY)
await bodies.drop([first])
process.exit(0)
