import type { Knex } from 'knex'

const CHUNK = Buffer.alloc(256 * 1024)

/**
 * Kills this process at the given moment: moments are statements of the database and chunks of the streams that are made
 * here, of so many zeros each.
 */
export function killAt(moment: number, knex: Knex): (size: number) => AsyncGenerator<Uint8Array> {
  let left = moment
  const tick = () => {
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  }
  knex.on('query', tick)
  return async function* zeros(size) {
    for (let rest = size; rest > 0; rest -= CHUNK.length) {
      tick()
      yield CHUNK.subarray(0, Math.min(rest, CHUNK.length))
    }
  }
}
