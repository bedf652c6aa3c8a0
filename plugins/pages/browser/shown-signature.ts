import type { CheckedSigner } from '@signed-registry/client'

type Holder = NonNullable<CheckedSigner['signer']>

/** What is shown of a certificate. */
export type ShownCertificate = Pick<Holder, 'subject' | 'subjectStructure' | 'serialNumber'>

/** What is shown of a signature, whether the registry has judged it or the verifier in the browser. */
export interface ShownSignature
  extends Pick<
    CheckedSigner,
    | 'file'
    | 'registered'
    | 'indication'
    | 'time'
    | 'document'
    | 'coverage'
    | 'missing'
    | 'unused'
    | 'unsupported'
    | 'checks'
    | 'refusal'
  > {
  readonly signer?: ShownCertificate & Pick<Holder, 'userId' | 'businessId' | 'issuer' | 'issuerStructure'>
  readonly tsp?: ShownCertificate
  readonly ocsp?: ShownCertificate
  readonly unasked: readonly ShownCertificate[]
}
