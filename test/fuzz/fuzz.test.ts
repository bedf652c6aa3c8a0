import { expect } from 'chai'
import { judge } from './judge.js'
import { Random } from './random.js'
import { makeSeeds } from './seeds.js'
import { targetsOf } from './targets.js'

const ROUNDS = 60

describe('readers of what strangers send, fed with changed inputs', () => {
  const targets = targetsOf(makeSeeds())

  for (const [index, target] of targets.entries())
    it(`let nothing out but errors of ours: ${target.name}`, async () => {
      const random = new Random(20_260_601 + index)
      for (let round = 0; round < ROUNDS; round += 1) {
        const input = target.make(random)
        const outcome = await judge(target, input)
        const found = outcome.kind === 'found' ? `${outcome.what}\n${Buffer.from(input).toString('base64')}` : undefined
        expect(found, `round ${round}`).to.equal(undefined)
      }
    })
})
