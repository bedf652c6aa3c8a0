import type { Caller } from '@signed-registry/core'
import { expect } from 'chai'
import { JsonTurns } from '#host/limits/json-turns.js'

const MIB = 2 ** 20
const stranger = (last: number): Caller => ({ kind: 'anonymous', address: `192.0.2.${last}` })
const person: Caller = { kind: 'person', iin: 'IIN123456789011' }

/** Parsing that ends when the test says so. */
class Parsing {
  readonly begun: string[] = []
  private readonly ends = new Map<string, () => void>()

  as(name: string): () => Promise<string> {
    return () =>
      new Promise((resolve) => {
        this.begun.push(name)
        this.ends.set(name, () => resolve(name))
      })
  }

  end(name: string): void {
    this.ends.get(name)?.()
  }
}

describe('the turns of large JSON', () => {
  it('are one after another for all strangers, while known callers and small JSON go on', async () => {
    const [turns, parsing] = [new JsonTurns(), new Parsing()]
    const first = turns.parse(stranger(1), MIB, parsing.as('first'))
    const second = turns.parse(stranger(2), MIB, parsing.as('second'))
    const known = turns.parse(person, MIB, parsing.as('known'))
    const small = turns.parse(stranger(3), 1000, parsing.as('small'))
    await Promise.resolve()
    for (const name of ['known', 'small']) parsing.end(name)
    await Promise.all([known, small])
    expect(parsing.begun).to.have.members(['first', 'known', 'small'])
    parsing.end('first')
    await first
    while (!parsing.begun.includes('second')) await new Promise(setImmediate)
    parsing.end('second')
    expect(await second).to.equal('second')
  })

  it('come although one before could not be parsed', async () => {
    const turns = new JsonTurns()
    const failed = turns.parse(stranger(1), MIB, () => Promise.reject(new Error('no JSON')))
    const next = turns.parse(stranger(1), MIB, async () => 'next')
    expect(await failed.catch(({ message }: Error) => message)).to.equal('no JSON')
    expect(await next).to.equal('next')
  })
})
