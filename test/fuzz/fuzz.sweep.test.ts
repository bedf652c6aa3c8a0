import { expect } from 'chai'
import { amount } from '../support/sweep.js'
import { cardTargets } from './cards.js'
import { judge } from './judge.js'
import { logTargets } from './logs.js'
import { Random } from './random.js'
import { makeSeeds } from './seeds.js'
import { targetsOf } from './targets.js'

const ROUNDS = amount(60, 2000)
/** A card is drawn or read in a thread, which takes far longer than a signature. */
const CARD_ROUNDS = amount(20, 200)

const cards = await cardTargets()

describe('readers of what strangers send, fed with changed inputs', () => {
  const targets = [...targetsOf(makeSeeds()), ...cards, ...logTargets()]

  for (const [index, target] of targets.entries())
    it(`let nothing out but errors of ours: ${target.name}`, async () => {
      const random = new Random(20_260_601 + index)
      const rounds = target.name.startsWith('card:') ? CARD_ROUNDS : ROUNDS
      for (let round = 0; round < rounds; round += 1) {
        const input = target.make(random)
        const outcome = await judge(target, input)
        const found = outcome.kind === 'found' ? `${outcome.what}\n${Buffer.from(input).toString('base64')}` : undefined
        expect(found, `round ${round}`).to.equal(undefined)
      }
    })
})
