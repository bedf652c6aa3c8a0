/** What opens a document to everybody, always or for a time. */
interface Openness {
  readonly settings: {
    readonly private?: boolean | undefined
    readonly publicDuringPreregistration?: boolean | undefined
    readonly publicWhileLessThanSignatures?: number | undefined
  }
  readonly preregistered: boolean
  readonly signaturesTotal: number
}

/** Whether settings open a document to everybody for as long as too few have signed. */
export function isOpenForNow({
  settings: { publicDuringPreregistration = false, publicWhileLessThanSignatures = 0 },
  preregistered,
  signaturesTotal,
}: Openness): boolean {
  return (
    (publicDuringPreregistration && preregistered && signaturesTotal === 0) ||
    signaturesTotal < publicWhileLessThanSignatures
  )
}

/** Whether everybody may view a document now, by whichever way; kept beside its hashes. */
export const isOpenToAll = (document: Openness): boolean =>
  !(document.settings.private ?? false) || isOpenForNow(document)
