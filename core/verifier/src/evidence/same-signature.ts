import { readSignedData } from '../cms/signed-data.js'
import type { SignerInfo } from '../cms/signer-info.js'
import { encoded } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { sha256 } from './hashes-of.js'

/** Whether two CMS are one signature: what unsigned attributes and certificates they carry may differ. */
export function isSameSignature(one: Uint8Array, other: Uint8Array): boolean {
  const [own, due] = [signerOf(one), signerOf(other)]
  return own !== undefined && own === due
}

function signerOf(cms: Uint8Array): string | undefined {
  try {
    const [signer, more] = readSignedData(cms).signerInfos
    return signer === undefined || more !== undefined ? undefined : signedPart(signer)
  } catch (error) {
    if (error instanceof RegistryError) return undefined
    throw error
  }
}

const signedPart = ({ signedAttributes, signature }: SignerInfo): string =>
  [signedAttributes === undefined ? new Uint8Array() : encoded(signedAttributes.element), signature].map(sha256).join()
