import { namesSignatures } from './names-signatures.js'

const TEXTS = /^(?:%PDF-|PK|\s*(?:<|\{|eyJ|M[\w+/]{40}|-----BEGIN (?:CMS|PKCS7)))/
/** SignedData in DER or BER, in hexadecimal (RFC 5652, 5.1). */
const SIGNED_DATA = /^30(?:..){1,9}06092a864886f70d010702/

/** Whether a file begins as one of a signed kind does: PDF, ZIP, CMS, XML, JSON. The verifier tells then whether it is one. */
export async function mayBeSigned(file: Blob): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, 64).arrayBuffer())
  const hex = [...start].map((octet) => octet.toString(16).padStart(2, '0')).join('')
  return SIGNED_DATA.test(hex) || TEXTS.test(new TextDecoder().decode(start))
}

/** Whether a ZIP is a container of signed files. */
export const isContainer = (file: Blob): Promise<boolean> =>
  namesSignatures(async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()), file.size)
