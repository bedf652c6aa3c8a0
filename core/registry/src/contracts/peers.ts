import assert from 'node:assert/strict'
import { newId } from '../kernel/ids.js'
import type { Peers } from '../procedures/index.js'
import type { Clause } from './clause.js'

/** The `Peers` of two hosts of one registry, to check against their contract. */
export interface PeersUnderTest {
  open(): Peers
  /** Those of the other host, which can be reached. */
  other(): Peers
  /** Makes the other host listen for a procedure; the inner promise resolves once that host was told. */
  listen(procedureId: string): Promise<() => Promise<unknown>>
  /** An address without a host. */
  nowhere(): string
}

const MANY = 20

/** What every kind of `Peers` promises. */
export function peersContract({ open, other, listen, nowhere }: PeersUnderTest): readonly Clause[] {
  const told = async (procedureId: string) => {
    const heard = await listen(procedureId)
    open().wake(addressOf(other()), procedureId)
    await heard()
  }
  return [
    {
      title: 'have an address of their own for each host',
      async check() {
        assert.notEqual(addressOf(open()), addressOf(other()))
      },
    },
    {
      title: 'tell the host at an address that a procedure has changed',
      check: () => told(newId()),
    },
    {
      title: 'tell about many at once',
      async check() {
        await Promise.all(Array.from({ length: MANY }, () => told(newId())))
      },
    },
    {
      title: 'ignore addresses without a host, and go on to tell the others',
      async check() {
        open().wake(nowhere(), newId())
        await told(newId())
      },
    },
  ]
}

function addressOf({ address }: Peers): string {
  assert.ok(address !== undefined && address !== '', 'the host can be reached')
  return address
}
