import { expect } from 'chai'
import { worstOf } from '#core/signatures/judgement.js'

const passed = { indication: 'TOTAL-PASSED' } as const
const unknown = { indication: 'INDETERMINATE', subIndication: 'NO_POE' } as const
const failed = { indication: 'TOTAL-FAILED', subIndication: 'HASH_FAILURE' } as const

describe('the verdict on several signatures', () => {
  it('is the worst of them', () => {
    expect(worstOf([passed, unknown, failed])).to.deep.equal({ valid: false, ...failed })
    expect(worstOf([passed, unknown])).to.deep.equal({ valid: false, ...unknown })
    expect(worstOf([passed, passed])).to.deep.equal({ valid: true, ...passed })
  })

  it('leaves counter-signatures out, unless there is nothing else', () => {
    const counter = { ...failed, covers: 'signature' } as const
    expect(worstOf([passed, counter])).to.deep.equal({ valid: true, ...passed })
    expect(worstOf([counter])).to.deep.equal({ valid: false, ...failed })
  })

  it('is unknown for none', () => {
    expect(worstOf([])).to.deep.equal({ valid: false, indication: 'INDETERMINATE' })
  })
})
