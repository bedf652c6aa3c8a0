import { limits } from '../kernel/limits.js'

/** Limits of cards, which are handled in memory. */
export interface CardLimits {
  /** Bytes of an original in a card, of a card that is read, and of a PDF that is checked. */
  readonly cardBytes: number
  /** Signatures of one card. */
  readonly cardSignatures: number
}
export const CardLimits = limits<CardLimits>('CardLimits', { cardBytes: 50 * 1024 * 1024, cardSignatures: 200 })
