import type { Bundle, DocumentInBundle, SignatureInBundle } from '@signed-registry/core'
import { isJoined, signatureFile } from '@signed-registry/verifier/evidence'
import { nameInside } from './name-inside.js'

/** Whether a signature is a CMS; other signatures are XML. */
export const isCms = ({ signType }: Pick<SignatureInBundle, 'signType'>): boolean => signType === 'cms'

/** Names of the files with a signature and its evidence. */
export function evidenceFiles(signature: SignatureInBundle) {
  const { signId, ocsp, crls } = signature
  return {
    signature: signatureFile(signature),
    timeStamp: `tst/${signId}.tst`,
    stamped: `tst/${signId}.bin`,
    ocsp: ocsp === undefined ? undefined : `ocsp/${signId}.ors`,
    crls: crls.map((_, index) => `crl/${signId}-${index + 1}.crl`),
  }
}

/**
 * Where the original of a document stands, if it goes along: in a container with the CMS signatures that are over all of it, or by
 * itself where it has none.
 */
export function placeOf(
  { package: pack }: Pick<Bundle, 'package'>,
  { documentId, original, signatures }: DocumentInBundle,
): { readonly file: string; readonly container?: string } | undefined {
  if (original === undefined) return undefined
  const file = nameInside(original.name, documentId)
  if (signatures.some(isJoined))
    return { file, container: pack === undefined ? 'document.asics' : `documents/${documentId}.asics` }
  return { file: pack === undefined ? `original/${file}` : `original/${documentId}/${file}` }
}
