import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports that no system gives to connections on their way out (Linux begins at 32768): what is free there stays so. */
const [FIRST, END] = [10_000, 32_768]
/** Each process of a run of tests has its part, as what was found free by one may not be in use yet. */
const PARTS = 4
const PART = Math.floor((END - FIRST) / PARTS)
const BEGINNING = FIRST + PART * (Number(process.env.MOCHA_WORKER_ID ?? 0) % PARTS)
const given = new Set<number>()

/** A port of this machine that nobody listens at, also for a program that is started later, or again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = BEGINNING + randomInt(PART)
    if (given.has(port)) continue
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    given.add(port)
    return port
  }
}
