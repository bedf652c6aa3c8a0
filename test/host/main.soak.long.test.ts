import { expect } from 'chai'
import { forEachDatabase } from '../support/databases.js'
import { rise, soak } from '../support/soak.js'

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60)
const PER_SECOND = 100
const CONNECTIONS = 32

describe(`a host that registers ${PER_SECOND} documents a second for ${MINUTES} minutes`, () => {
  forEachDatabase((open) => {
    it('needs no more memory and files at the end than after the first third', async () => {
      const registrations = MINUTES * 60 * PER_SECOND
      const { resident, descriptors, live } = await soak(await open(), {
        registrations,
        perSecond: PER_SECOND,
        log: console.log,
      })
      console.log(`resident memory rose by ${(100 * rise(resident)).toFixed(2)} % of its mean`)
      expect(rise(resident)).to.be.below(0.02)
      expect(live[1] / live[0]).to.be.below(1.02)
      // Connections of clients and to the database come and go.
      expect(Math.max(...descriptors) - Math.min(...descriptors)).to.be.at.most(CONNECTIONS)
      expect(Math.abs(rise(descriptors))).to.be.below(0.1)
    })
  })
})
