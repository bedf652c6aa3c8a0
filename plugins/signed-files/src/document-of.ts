import type { Upload } from '@signed-registry/core'
import type { DocumentInFile, SignedFile } from '@signed-registry/verifier'
import { documentIn, lastSignedEnd } from '@signed-registry/verifier/files'
import { fileSource } from './file-source.js'
import { octetsFrom } from './octets-from.js'
import type { Spooled } from './spool.js'

/** A document of a file: out of a container, or a PDF to the end of its last signed revision. */
export function documentOf(
  spooled: Spooled,
  { format, signatures }: SignedFile,
  { name, size }: DocumentInFile,
): Upload {
  if (format === 'pdf') {
    const end = lastSignedEnd({ signatures })
    return { size: end, stream: octetsFrom(spooled, 0, end) }
  }
  return { size, stream: documentIn(fileSource(spooled.descriptor, spooled.size), name) }
}
