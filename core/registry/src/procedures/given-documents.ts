import type { AppDocuments } from './exchange.js'
import type { Meta } from './schema.js'

/** One document as it is given to the app. */
export interface GivenDocument {
  readonly id: string
  readonly title: string
  readonly meta: readonly Meta[]
  bytes(): AsyncIterable<Uint8Array>
}

/** Documents for the app as streamed JSON, each to be signed by a detached CMS. */
export function givenDocuments(documents: readonly GivenDocument[]): AppDocuments {
  async function* bytes() {
    yield Buffer.from('{"signMethod":"CMS_SIGN_ONLY","version":1,"documentsToSign":[')
    for (const [at, { id, title, meta, bytes: original }] of documents.entries()) {
      const name = title === '' ? id : title
      const mime = title.toLowerCase().endsWith('.pdf') ? '@file/pdf' : ''
      const head = JSON.stringify({ id, nameRu: name, nameKz: name, nameEn: name, meta })
      yield Buffer.from(`${at > 0 ? ',' : ''}${head.slice(0, -1)},"document":{"file":{"mime":"${mime}","data":"`)
      yield* base64(original())
      yield Buffer.from('"}}}')
    }
    yield Buffer.from(']}')
  }
  return { type: 'application/json', bytes }
}

/** Base64 of a stream, three bytes at a time. */
async function* base64(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of bytes) {
    const all = Buffer.concat([rest, chunk])
    const encodable = all.length - (all.length % 3)
    rest = all.subarray(encodable)
    if (encodable > 0) yield Buffer.from(all.toString('base64', 0, encodable), 'latin1')
  }
  if (rest.length > 0) yield Buffer.from(Buffer.from(rest).toString('base64'), 'latin1')
}
