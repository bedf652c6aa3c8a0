import assert from 'node:assert/strict'
import { newId } from '../kernel/ids.js'
import type { HeldCall, HeldCalls, HeldSide } from '../procedures/index.js'
import type { Clause } from './clause.js'

/** The `HeldCalls` to check against their contract. */
export interface HeldCallsUnderTest {
  /** The calls of one host. */
  open(): HeldCalls | Promise<HeldCalls>
  /** Those of another host of the same registry; leave it out if a registry has only one host. */
  elsewhere?(): HeldCalls | Promise<HeldCalls>
}

/** Longer than any test takes: a call that waits this long was not woken. */
const HOUR_MS = 60 * 60_000

/** What every `HeldCalls` promises. */
export function heldCallsContract({ open, elsewhere }: HeldCallsUnderTest): readonly Clause[] {
  return [
    {
      title: 'holds a call until its procedure is woken',
      async check() {
        const [held, id] = [await open(), newId()]
        const call = await held.begin(id, 'data')
        const waiting = call.next(HOUR_MS)
        held.wake(id)
        assert.equal(await waiting, true)
        await call.end()
      },
    },
    {
      title: 'remembers a wake-up for a call that was not waiting',
      async check() {
        const [held, id] = [await open(), newId()]
        const call = await held.begin(id, 'result')
        held.wake(id)
        assert.equal(await call.next(HOUR_MS), true)
        await call.end()
      },
    },
    {
      title: 'lets a call check again after its time-out',
      async check() {
        const call = await (await open()).begin(newId(), 'watch')
        assert.equal(await call.next(1), true)
        await call.end()
      },
    },
    {
      title: 'rejects when the caller has gone',
      async check() {
        const call = await (await open()).begin(newId(), 'watch')
        const caller = new AbortController()
        const waiting = call.next(HOUR_MS, caller.signal)
        caller.abort()
        await assert.rejects(waiting)
        await assert.rejects(call.next(HOUR_MS, caller.signal))
        await call.end()
      },
    },
    {
      title: 'does not wake calls for other procedures',
      async check() {
        const [held, id] = [await open(), newId()]
        const calls = [await held.begin(newId(), 'watch'), await held.begin(id, 'watch')] as const
        const caller = new AbortController()
        const [other, waiting] = [calls[0].next(HOUR_MS, caller.signal), calls[1].next(HOUR_MS)]
        held.wake(id)
        assert.equal(await waiting, true)
        caller.abort()
        await assert.rejects(other)
        await end(calls)
      },
    },
    {
      title: 'holds any number of watching calls, and one for each other side',
      async check() {
        const [held, id] = [await open(), newId()]
        const calls = []
        for (const side of ['watch', 'data', 'watch', 'result', 'watch'] as const)
          calls.push(await held.begin(id, side))
        const waiting = calls.map((call) => call.next(HOUR_MS))
        held.wake(id)
        assert.deepEqual(
          await Promise.all(waiting),
          calls.map(() => true),
        )
        await end(calls)
      },
    },
    ...SIDES_OF_ONE.map((side) => ({
      title: `lets the last call for ${side} win, unaffected by the end of earlier ones`,
      async check() {
        const [held, id] = [await open(), newId()]
        const first = await held.begin(id, side)
        const waiting = first.next(HOUR_MS)
        const second = await held.begin(id, side)
        assert.equal(await waiting, false)
        await first.end()
        held.wake(id)
        assert.equal(await second.next(HOUR_MS), true)
        const third = await held.begin(id, side)
        assert.equal(await second.next(HOUR_MS), false)
        await end([second, third])
      },
    })),
    ...(elsewhere === undefined
      ? []
      : [
          {
            title: 'wakes calls that another host holds',
            async check() {
              const [held, id] = [await open(), newId()]
              const call = await held.begin(id, 'result')
              const waiting = call.next(HOUR_MS)
              ;(await elsewhere()).wake(id)
              assert.equal(await waiting, true)
              await call.end()
            },
          },
          {
            title: 'lets a later call at another host win',
            async check() {
              const [held, id] = [await open(), newId()]
              const first = await held.begin(id, 'data')
              const later = await (await elsewhere()).begin(id, 'data')
              while (await first.next(HOUR_MS));
              await end([first, later])
            },
          },
        ]),
  ]
}

const SIDES_OF_ONE: readonly HeldSide[] = ['data', 'result']

async function end(calls: readonly HeldCall[]): Promise<void> {
  for (const call of calls) await call.end()
}
