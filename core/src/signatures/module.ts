import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { CollectEvidence } from './collect-evidence.js'
import { defaultSignaturePolicy, SignaturePolicy } from './signature-policy.js'
import { SignatureVerifier } from './signature-verifier.js'
import { StandardSignatureVerifier } from './standard-signature-verifier.js'
import { VerifyPresentSignature } from './verify-present-signature.js'

export const signaturesModule = new ContainerModule(({ bind }) => {
  bind(SignaturePolicy).toConstantValue(defaultSignaturePolicy)
  provide(bind, CollectEvidence, CollectEvidence)
  provide(bind, SignatureVerifier, StandardSignatureVerifier)
  provide(bind, VerifyPresentSignature, VerifyPresentSignature)
})
