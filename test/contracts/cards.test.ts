import { cardMakerContract } from '@signed-registry/core/contracts'
import { cardOf, numberedPdf, openCards } from '../plugins/ddc-pdf/cards.js'
import { hold } from '../support/hold.js'

describe('cards in PDF, as a CardBuilder, a CardParser and a CardComparer', () => {
  let cards: Awaited<ReturnType<typeof openCards>>
  before(async () => {
    cards = await openCards()
  })
  after(() => cards.close())

  hold(
    cardMakerContract({
      builder: () => cards.builder,
      parser: () => cards.parser,
      comparer: () => cards.comparer,
      card: cardOf,
      pdf: () => numberedPdf(2),
    }),
  )
})
