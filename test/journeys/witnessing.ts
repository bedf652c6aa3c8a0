import type { Client } from '@signed-registry/client'
import { originHash } from '@signed-registry/verifier/log'
import { askedCheckpoint } from '../support/log/asked-checkpoint.js'
import { logKeyOf, privateKeyOf } from '../support/log/note-keys.js'

const origin = 'registry.example/log'

/** Makes a registry a witness of one log. */
export const witnessOptions = {
  witnessFor: `log ${logKeyOf(origin, 1)}\nquorum none\n`,
  witnessKey: privateKeyOf(2).export({ type: 'pkcs8', format: 'pem' }).toString(),
}

/** A log has its checkpoint cosigned, and a monitor looks at it. */
export async function witnessing(url: string, send: typeof fetch, monitor: Client): Promise<void> {
  const body = new TextEncoder().encode(await askedCheckpoint(origin, 1, 0, 4))
  const headers = { accept: 'application/json' }
  await send(`${url}/api/witness/add-checkpoint`, { method: 'POST', headers, body })
  await monitor.getLog()
  await monitor.getWitnessedCheckpoint({ originHash: originHash(origin) })
}
