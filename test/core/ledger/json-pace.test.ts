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

  it('is one of all strangers together, however many addresses they have', () => {
    expect([1, 2, 3].map((last) => pace.delay(stranger(last), 12 * MIB))).to.deep.equal([0, 3000, 6000])
  })

  it('is one of each known caller, whom strangers do not hold up', () => {
    pace.delay(stranger(1), 12 * MIB)
    expect([person(1), person(2), person(1)].map((caller) => pace.delay(caller, 12 * MIB))).to.deep.equal([0, 0, 3000])
  })

  it('holds up nothing small', () => {
    pace.delay(stranger(1), 12 * MIB)
    expect(pace.delay(stranger(1), MIB / 4)).to.equal(0)
  })

  it('saves nothing up, and owes nothing after its time', () => {
    pace.delay(stranger(1), 12 * MIB)
    now += 10_000
    expect([pace.delay(stranger(1), 12 * MIB), pace.delay(stranger(1), 12 * MIB)]).to.deep.equal([0, 3000])
  })
})
