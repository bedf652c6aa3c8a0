import { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import type { Certificate } from '../x509/certificate.js'
import { type ValueOptions, verifyValue } from './signature-value.js'
import type { SignedInfo } from './signed-info.js'
import { invalid } from './xml-errors.js'

/**
 * The one certificate among the candidates whose key made the signature value. Two certificates of that key are
 * refused: nothing signed says which of them is meant.
 */
export function chooseSigner(
  candidates: readonly Certificate[],
  info: SignedInfo,
  value: Uint8Array,
  options: ValueOptions,
): Certificate {
  if (candidates.length === 0) throw signatureErrors.error('badSignerCertificate', { reason: 'certificateMissing' })
  let unusable: RegistryError | undefined
  const verdicts = new Map<string, boolean>()
  const signers = candidates.filter((candidate) => {
    const key = Buffer.from(candidate.spki).toString('base64')
    try {
      const verdict = verdicts.get(key) ?? verifyValue(info, value, candidate.publicKey, options)
      verdicts.set(key, verdict)
      return verdict
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      unusable ??= error
      return false
    }
  })
  const [signer, ...others] = signers
  if (signer === undefined) throw verdicts.size === 0 && unusable !== undefined ? unusable : invalid('signatureValue')
  if (others.length > 0) throw signatureErrors.error('badSignerCertificate', { reason: 'signerAmbiguous' })
  return signer
}
