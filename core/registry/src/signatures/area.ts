import { signatureErrors } from '@signed-registry/verifier'
import { CertificatesInUse } from '../kernel/certificates-in-use.js'
import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { ReadinessCheck } from '../kernel/readiness.js'
import { Reloadable } from '../kernel/reload.js'
import { provide, provideValue } from '../kernel/service.js'
import { AskAuthorityStatus } from './ask-authority-status.js'
import { TimeStampBytes } from './ask-time-stamp.js'
import { CollectEvidence } from './collect-evidence.js'
import { largeSignatureErrors } from './errors.js'
import { JudgeSignature, ReportSignatures } from './judge-signature.js'
import { LargeReading, LargeSignatures } from './large-signatures.js'
import { SignatureLimits } from './limits.js'
import { defaultSignaturePolicy, SignaturePolicy } from './signature-policy.js'
import { SignatureVerifier } from './signature-verifier.js'
import { StandardSignatureVerifier } from './standard-signature-verifier.js'
import { TrustAnchors } from './trust-anchors.js'
import { TrustReadiness } from './trust-readiness.js'
import { Verification, VerificationThread } from './verification-thread.js'
import { VerifyPresentCertificate, VerifyPresentSignature } from './verify-present-signature.js'
import { VerifyRecords } from './verify-records.js'

export const signaturesArea = area({
  name: 'signatures',
  errors: [signatureErrors, largeSignatureErrors],
  services: [
    AskAuthorityStatus,
    CollectEvidence,
    JudgeSignature,
    ReportSignatures,
    TimeStampBytes,
    VerifyPresentSignature,
    VerifyPresentCertificate,
    VerifyRecords,
  ],
  provides: [
    provideValue(SignaturePolicy, defaultSignaturePolicy),
    provideLimits(SignatureLimits),
    provide(LargeReading, {
      inject: LargeSignatures.inject,
      make: (use) => new LargeSignatures(use),
      close: (large) => large.close(),
    }),
    provide(Verification, {
      inject: VerificationThread.inject,
      make: (use) => new VerificationThread(use),
      close: (thread) => thread.close(),
    }),
    provide(SignatureVerifier, StandardSignatureVerifier),
    provide(ReadinessCheck, TrustReadiness),
    provide(Reloadable, TrustAnchors),
    provide(CertificatesInUse, TrustAnchors),
  ],
})
