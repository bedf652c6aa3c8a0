import type { SubIndication } from '../indication.js'
import type { SignerVerdict } from '../verdict.js'

/** What a verdict comes to, one for each thing that people are told. */
export type Finding =
  | 'validAt'
  | 'validNow'
  | 'notGiven'
  | 'otherDocument'
  | 'wrongValue'
  | 'malformed'
  | 'partOnly'
  | 'constraints'
  | 'revoked'
  | 'authorityRevoked'
  | 'outOfValidity'
  | 'notYetValid'
  | 'timeStamp'
  | 'timeStampOrder'
  | 'status'
  | 'issuerUnknown'
  | 'path'
  | 'usage'
  | 'algorithm'
  | 'algorithmEnded'
  | 'noCertificate'
  | 'unsupported'
  | 'unknown'
  | 'wrong'

const BY_SUB_INDICATION: Readonly<Partial<Record<SubIndication, Finding>>> = {
  SIGNED_DATA_NOT_FOUND: 'notGiven',
  HASH_FAILURE: 'otherDocument',
  SIG_CRYPTO_FAILURE: 'wrongValue',
  FORMAT_FAILURE: 'malformed',
  SIG_CONSTRAINTS_FAILURE: 'constraints',
  REVOKED_NO_POE: 'revoked',
  REVOKED_CA_NO_POE: 'authorityRevoked',
  OUT_OF_BOUNDS_NO_POE: 'outOfValidity',
  NOT_YET_VALID: 'notYetValid',
  NO_POE: 'timeStamp',
  TIMESTAMP_ORDER_FAILURE: 'timeStampOrder',
  TRY_LATER: 'status',
  NO_CERTIFICATE_CHAIN_FOUND: 'issuerUnknown',
  CERTIFICATE_CHAIN_GENERAL_FAILURE: 'path',
  CHAIN_CONSTRAINTS_FAILURE: 'usage',
  CRYPTO_CONSTRAINTS_FAILURE: 'algorithm',
  CRYPTO_CONSTRAINTS_FAILURE_NO_POE: 'algorithmEnded',
  NO_SIGNING_CERTIFICATE_FOUND: 'noCertificate',
}

/** What a verdict comes to for people. */
export function findingOf({ indication, subIndication, conclusion, refusal }: SignerVerdict): Finding {
  if (indication === 'TOTAL-PASSED') return conclusion === 'validNow' ? 'validNow' : 'validAt'
  if (indication === 'unsupported') return 'unsupported'
  if (refusal?.details?.reason === 'coversElement') return 'partOnly'
  const found = subIndication && BY_SUB_INDICATION[subIndication]
  return found ?? (indication === 'TOTAL-FAILED' ? 'wrong' : 'unknown')
}
