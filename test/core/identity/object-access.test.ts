import { expect } from 'chai'
import { matchRules } from '#core/identity/object-access.js'
import { BIN, employeeCaller, IIN, personCaller, systemCaller } from '../../support/core-registry.js'

const OTHER_BIN = 'BIN123456789029'
const person = personCaller(IIN)
const employee = employeeCaller({ bin: BIN, iin: IIN })
const system = systemCaller({ bin: BIN })

describe('an access rule', () => {
  for (const [whose, rule, ...expected] of [
    ['a person', { iin: IIN }, 'self', 'none', 'none'],
    ['an employee', { iin: IIN, bin: BIN }, 'none', 'self', 'organization'],
    ['an organization', { bin: BIN }, 'none', 'organization', 'organization'],
    ['another person', { iin: 'IIN123456789029' }, 'none', 'none', 'none'],
    ['another organization', { bin: OTHER_BIN }, 'none', 'none', 'none'],
    ['an employee of another organization', { iin: IIN, bin: OTHER_BIN }, 'none', 'none', 'none'],
  ] as const)
    it(`for ${whose} matches nobody else`, () => {
      expect([person, employee, system].map((caller) => matchRules([rule], caller))).to.deep.equal(expected)
    })
})
