import { type Caller, type Owner, ownerOf } from '../identity/index.js'

/** Who has signed. */
interface Signer {
  readonly userId: string
  readonly businessId?: string | undefined
}

/**
 * Who pays for mails that a request asks for: the organization whose system brings it, else who proves by a signature to have
 * signed, whoever brings that, else the caller.
 */
export function payerOf(caller: Caller, signer?: Signer): Owner {
  return signer === undefined || caller.kind === 'system' ? ownerOf(caller) : payerOfSigner(signer)
}

/** Who pays for mails that a signature causes. */
export const payerOfSigner = ({ userId, businessId }: Signer): Owner =>
  businessId === undefined ? userId : `${userId} ${businessId}`

/** The organization that a payer acts for, if any. */
export const organizationOfPayer = (payer: Owner): string | undefined => /BIN\d{12}$/.exec(payer)?.[0]
