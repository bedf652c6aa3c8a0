import type { Requirement } from './views/signers.js'

export interface Step {
  readonly at: number
  readonly kind:
    | 'registered'
    | 'completed'
    | 'signed'
    | 'sent'
    | 'delivered'
    | 'opened'
    | 'reminded'
    | 'commented'
    | 'accepted'
    | 'denied'
    | 'recalled'
    | 'failed'
    | 'replaced'
  readonly party?: string
  readonly name?: string
  readonly by?: string
  readonly byName?: string
  readonly to?: string
  readonly toName?: string
  readonly signId?: number
  readonly outgoingId?: string
  readonly incomingId?: string
  readonly documentId?: string
  readonly documentsIds?: readonly string[]
  readonly value?: string
}

export interface Thread {
  readonly steps: readonly Step[]
  readonly shortened?: true
  readonly awaited: readonly (Requirement & {
    readonly name?: string
    readonly order?: number
    readonly next: boolean
  })[]
  readonly you?: {
    readonly signedAt?: number
    readonly next: 'sign' | 'decide' | 'wait' | 'nothing'
    readonly incomingId?: string
  }
}
