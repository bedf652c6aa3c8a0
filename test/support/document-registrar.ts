import type { DocumentSettings } from '@signed-registry/core/documents'

import { DevAuthorities } from '@signed-registry/dev-authorities'
import { octetString } from '#dev-authorities/der/writer.js'
import { CMS } from '#dev-authorities/oids.js'
import { postJson } from './http.js'

/**
 * Registers documents at a host whose development authorities are in this folder; documents are known by their SHA-256
 * alone, and have these settings.
 */
export function documentRegistrar(
  url: string,
  folder: string,
  settings: DocumentSettings = {},
): (sha256: Buffer) => Promise<string> {
  const authorities = DevAuthorities.create({ folder })
  return async (sha256) => {
    const cms = authorities.employee().signCms(Buffer.alloc(0), {
      hash: 'sha256',
      timeStamp: true,
      ocsp: true,
      signedAttributes: (honest) =>
        honest.map((one) => (one.oid === CMS.messageDigest ? { ...one, values: [octetString(sha256)] } : one)),
    })
    const { status, json } = await postJson<{ documentId: string }>(`${url}/api`, {
      signature: cms.toString('base64'),
      settings,
    })
    if (status !== 200) throw new Error(`The document was not registered: ${JSON.stringify(json)}`)
    return json.documentId
  }
}
