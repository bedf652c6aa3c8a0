import { expect } from 'chai'
import { EXAMPLES } from '#host/monitoring/examples.js'
import { routes } from '../support/routes.js'
import { type Exchange, everyOperation } from './every-operation.js'

describe('every operation', () => {
  let exchanges: Exchange[]
  before(async () => {
    exchanges = await everyOperation()
  })

  it('answers, and has an example', () => {
    const all = routes.map(({ operation }) => operation.id)
    expect(exchanges.map(({ operation }) => operation)).to.include.members(all)
    expect(EXAMPLES).to.have.all.keys(all)
  })

  it('is what OpenAPI shows as examples ("npm run examples" writes them)', () => {
    const last = new Map(exchanges.map((exchange) => [exchange.operation, exchange]))
    for (const { operation, request, answer } of last.values()) {
      const example = EXAMPLES[operation]
      expect(Object.keys(Object(answer)), operation).to.include.members(Object.keys(Object(example?.answer)))
      expect(Object.keys(Object(example?.request)), operation).to.deep.equal(Object.keys(Object(request)))
    }
  })
})
