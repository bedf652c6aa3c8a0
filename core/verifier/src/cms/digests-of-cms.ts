import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { readSignedData } from './signed-data.js'
import { readTstInfo } from './tst-info.js'

/** The digest algorithms that the signers of a CMS use; none where it cannot be read. */
export function digestsOfCms(cms: Uint8Array): ReadonlySet<string> {
  try {
    return new Set(readSignedData(cms).digestAlgorithms.map(({ oid }) => oid))
  } catch (error) {
    if (error instanceof DerError) return new Set()
    throw error
  }
}

/** The digest algorithm of what a time-stamp token is over (RFC 3161, 2.4.2); none where it cannot be read. */
export function digestsOfToken(token: Uint8Array): ReadonlySet<string> {
  try {
    return new Set([readTstInfo(readSignedData(token).content ?? new Uint8Array()).imprint.digestOid])
  } catch (error) {
    if (error instanceof DerError || error instanceof RegistryError) return new Set()
    throw error
  }
}
