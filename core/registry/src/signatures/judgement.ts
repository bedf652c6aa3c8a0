import { type SignerVerdict as Judged, type RegistryError, type Trust, verify } from '@signed-registry/verifier'
import type { CheckedSignature, CheckedSigner } from './checked-signature.js'
import { holderFacts, ocspFacts, tspFacts } from './signature-facts.js'
import type { SignaturePolicy } from './signature-policy.js'

/** A CMS or XML to judge, detached where hashes of the document are given. */
export interface JudgedInput {
  readonly signed: Uint8Array | string
  readonly document?: ReadonlyMap<string, Uint8Array> | undefined
}

/** The verdict on a signature; throws `signatureNotParsed` and its kin for what is no signature at all. */
export function judgeSignature(
  { signed, document }: JudgedInput,
  { policy, trust, now }: { readonly policy: SignaturePolicy; readonly trust: Trust; readonly now: number },
): CheckedSignature {
  const { valid, indication, subIndication, at, signatures } = verify(signed, {
    ...policy,
    // Whether a key was seen under another certificate only matters where a signature is to be relied upon for long.
    signingCertificate: policy.signingCertificate === 'required' ? 'required' : 'optional',
    trust,
    at: now,
    ...(document === undefined ? {} : { document }),
  })
  for (const { signature, refusal } of signatures)
    if (signature === undefined && refusal?.kind === 'invalid') throw refusal
  return {
    valid,
    indication,
    ...(subIndication && { subIndication }),
    judgedAt: at,
    signatures: signatures.map(checkedSigner),
  }
}

function checkedSigner(judged: Judged): CheckedSigner {
  const { indication, subIndication, conclusion, time, document, covers, missing, checks, refusal } = judged
  const { signature, proof } = judged
  return {
    indication,
    ...(subIndication && { subIndication }),
    conclusion,
    time,
    document,
    ...(covers && { covers }),
    ...(signature && { signType: signature.signType, signer: holderFacts(signature) }),
    digests: Object.fromEntries(
      (signature?.digests ?? []).map(({ oid, value }) => [oid, Buffer.from(value).toString('base64')]),
    ),
    ...(proof?.timeStamp && { tsp: tspFacts(proof.timeStamp) }),
    ...(proof?.status && { ocsp: ocspFacts(proof.status) }),
    missing: [...missing],
    checks: checks.map(({ check, at, outcome, reason }) => ({ check, at, outcome, ...(reason && { reason }) })),
    ...(refusal && { refusal: refusalOf(refusal) }),
  }
}

const refusalOf = ({ code, message, details }: RegistryError): NonNullable<CheckedSigner['refusal']> => ({
  code,
  message,
  ...(typeof details?.reason === 'string' && { reason: details.reason }),
})
