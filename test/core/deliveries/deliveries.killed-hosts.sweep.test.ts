import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { deliverWhileKilling } from '../../support/killed-deliveries.js'
import { exhaustive } from '../../support/sweep.js'

const RUN = exhaustive ? { webhooks: 800, vehicles: 200, kills: 6 } : { webhooks: 90, vehicles: 10, kills: 1 }

describe('webhooks and documents for the authority that registers vehicles, of two hosts that are killed', () => {
  forEachDatabase((open) => {
    it('all arrive, and duplicates have the same id', async () => {
      const { made, got, kept, kills } = await deliverWhileKilling(open, RUN)
      expect(kills).to.equal(RUN.kills)
      expect(made).to.have.length(RUN.webhooks + RUN.vehicles)
      expect([...got.keys()]).to.have.members(made)
      expect(kept).to.have.length(made.length)
      expect(kept.filter(({ state }) => state !== 'delivered')).to.deep.equal([])
    })
  })
})
