import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { CardSignatures } from './card-signatures.js'
import { CardWork } from './card-work.js'
import { ComparePages } from './compare-pages.js'
import { cardErrors } from './errors.js'
import { CardLimits } from './limits.js'
import { CardMakers } from './maker.js'
import * as operations from './operations.js'
import { CardBuilder, CardComparer, CardParser, noCards } from './ports.js'
import { ProveDocument } from './proved-document.js'

export const cardsArea = area({
  name: 'cards',
  errors: [cardErrors],
  services: [CardWork, CardSignatures, ProveDocument, CardMakers, ComparePages],
  provides: [
    provideLimits(CardLimits),
    provideValue(CardBuilder, noCards),
    provideValue(CardParser, noCards),
    provideValue(CardComparer, noCards),
  ],
  operations: Object.values(operations),
})
