import type { Caller } from '@signed-registry/core'

import { expect } from 'chai'
import { JsonPace } from '#core/ledger/json-pace.js'

const MIB = 2 ** 20
const stranger = (last: number): Caller => ({ kind: 'anonymous', address: `192.0.2.${last}` })
const person = (last: number): Caller => ({ kind: 'person', iin: `IIN00000000000${last}` })

describe('the pace of large JSON', () => {
  let now: number
  let pace: JsonPace
  beforeEach(() => {
    now = 1000
    pace = new JsonPace(4 * MIB, () => now)
  })

  it('is shared by all strangers, however many addresses they use', () => {
    expect([1, 2, 3].map((last) => pace.delay(stranger(last), 12 * MIB))).to.deep.equal([0, 3000, 6000])
  })

  it('is separate for each authenticated caller, whom strangers do not delay', () => {
    pace.delay(stranger(1), 12 * MIB)
    expect([person(1), person(2), person(1)].map((caller) => pace.delay(caller, 12 * MIB))).to.deep.equal([0, 0, 3000])
  })

  it('does not delay small bodies', () => {
    pace.delay(stranger(1), 12 * MIB)
    expect(pace.delay(stranger(1), MIB / 4)).to.equal(0)
  })

  it('accumulates neither credit nor debt over time', () => {
    pace.delay(stranger(1), 12 * MIB)
    now += 10_000
    expect([pace.delay(stranger(1), 12 * MIB), pace.delay(stranger(1), 12 * MIB)]).to.deep.equal([0, 3000])
  })
})
