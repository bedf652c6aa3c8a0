import { existsSync } from 'node:fs'
import { expect } from 'chai'
import { forEachDatabase } from '../support/databases.js'
import { soak } from '../support/soak.js'
import { amount } from '../support/sweep.js'

const REGISTRATIONS = amount(600, 12_000)
const CONNECTIONS = 32
/** MiB. What is alive is some 55, garbage and threads come to it; a leak of a request's octets would be 90 more. */
const MAX_MIB = 340

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
