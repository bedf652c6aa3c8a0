import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { BuildDdc } from './build-ddc.js'
import { BuildPartnerCms } from './build-partner-cms.js'
import { CardSignatures } from './card-signatures.js'
import { CardWork } from './card-work.js'
import { CheckDdc } from './check-ddc.js'
import { CheckPdfForDdc } from './check-pdf-for-ddc.js'
import { CleanContent } from './clean-content.js'
import { ComparePages } from './compare-pages.js'
import { cardErrors } from './errors.js'
import { GetSignatureQr } from './get-signature-qr.js'
import { CardLimits } from './limits.js'
import { CardMakers } from './maker.js'
import { ParseDdc } from './parse-ddc.js'
import { CardBuilder, CardComparer, CardParser, noCards } from './ports.js'
import { ProveDocument } from './proved-document.js'

export const cardsArea = area({
  name: 'cards',
  errors: [cardErrors],
  services: [CardWork, CardSignatures, ProveDocument, CardMakers, CleanContent, ComparePages],
  provides: [
    provideLimits(CardLimits),
    provideValue(CardBuilder, noCards),
    provideValue(CardParser, noCards),
    provideValue(CardComparer, noCards),
  ],
  operations: [BuildDdc, BuildPartnerCms, ParseDdc, CheckDdc, CheckPdfForDdc, GetSignatureQr],
})
