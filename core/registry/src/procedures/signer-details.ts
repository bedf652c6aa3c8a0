import type { Caller } from '../identity/index.js'
import { requestErrors } from '../kernel/request-errors.js'

const IIN = /^IIN\d{12}$/

/** Whose procedure it is: of the one who is asked to sign, and nobody else then may; or of the person who began it. */
export function signerDetails(caller: Caller, asked: string | undefined): { userId?: string; signer?: string } {
  if (asked === undefined) return caller.kind === 'person' || caller.kind === 'employee' ? { userId: caller.iin } : {}
  if (IIN.test(asked)) return { userId: asked, signer: asked }
  throw requestErrors.error('invalidJsonStructure', {
    part: 'body',
    path: '/userId',
    problem: 'is not IIN and 12 digits',
  })
}
