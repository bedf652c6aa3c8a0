import type { Subject } from '../subject.js'

/** Ways of signing that a service may ask the app for. */
export const SIGN_METHODS = ['CMS_SIGN_ONLY', 'CMS_WITH_DATA', 'XML', 'SIGN_BYTES_ARRAY', 'MIX_SIGN'] as const

type Json = Readonly<Record<string, unknown>>
const fields = (value: unknown): Json => ({ ...Object(value) })

/** The answer of API 2 with signatures in place of the data; `method` overrides the requested method. */
export function signDocuments(given: string, signer: Subject, method?: string): Json {
  const all = fields(JSON.parse(given))
  const documents = Array.isArray(all.documentsToSign) ? all.documentsToSign.map(fields) : []
  const asked = method ?? String(all.signMethod)
  return {
    ...all,
    signMethod: asked,
    version: 1,
    documentsToSign: documents.map((one) => {
      if (asked !== 'MIX_SIGN') return signed(one, asked, signer)
      // With MIX_SIGN each document names its method; otherwise the one of the request is for all.
      const signMethod = String(one.signMethod ?? all.signMethod)
      return signed({ ...one, signMethod }, signMethod, signer)
    }),
  }
}

function signed(one: Json, method: string, signer: Subject): Json {
  const file = fields(fields(one.document).file)
  const data = String(file.data ?? '')
  const withFile = (text: string) => ({ ...one, document: { file: { ...file, data: text } } })
  const bytes = Buffer.from(data, 'base64')
  switch (method) {
    case 'CMS_SIGN_ONLY':
      return withFile(signer.signCms(bytes).toString('base64'))
    case 'CMS_WITH_DATA':
      return withFile(signer.signCms(bytes, { detached: false }).toString('base64'))
    case 'SIGN_BYTES_ARRAY':
      return withFile(
        JSON.stringify({
          signature: signer.key.sign(Buffer.from(data), signer.key.hash).toString('base64'),
          certificate: signer.certificate.toString('base64'),
        }),
      )
    case 'XML':
      return { ...one, documentXml: signer.signXml(String(one.documentXml ?? `<data>${data}</data>`)).document }
    default:
      throw new TypeError(`The app does not know the method ${method}`)
  }
}
