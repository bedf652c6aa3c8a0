import { existsSync } from 'node:fs'
import { expect } from 'chai'
import { forEachDatabase } from '../support/databases.js'
import { soak } from '../support/soak.js'
import { amount } from '../support/sweep.js'

const REGISTRATIONS = amount(600, 12_000)
const CONNECTIONS = 32
/** MiB. Some 55 are alive, where a leak would show; garbage and threads make it 250 to 310, more on a busy machine. */
const MAX_MIB = 400

describe('a host under many registrations', () => {
  before(function () {
    if (!existsSync('/proc/self/fd')) this.skip()
  })
  forEachDatabase((open) => {
    it('keeps nothing of them in memory, and closes what it opens', async () => {
      const { resident, descriptors, live } = await soak(await open(), { registrations: REGISTRATIONS })
      expect(live[1] / live[0]).to.be.below(1.15)
      expect(Math.max(...resident)).to.be.below(MAX_MIB)
      expect(Math.max(...descriptors) - Math.min(...descriptors)).to.be.at.most(CONNECTIONS)
    })
  })
})
