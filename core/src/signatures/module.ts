import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { CollectEvidence } from './collect-evidence.js'
import { SignatureVerifier } from './signature-verifier.js'
import { StandardSignatureVerifier } from './standard-signature-verifier.js'
import { VerifyPresentSignature } from './verify-present-signature.js'

export const signaturesModule = new ContainerModule(({ bind }) => {
  provide(bind, CollectEvidence, CollectEvidence)
  provide(bind, SignatureVerifier, StandardSignatureVerifier)
  provide(bind, VerifyPresentSignature, VerifyPresentSignature)
})
