import { client, Told } from './api.js'
import { toBase64 } from './bytes.js'
import { showCode } from './phone-code.js'
import { texts } from './texts.js'

/** Most bytes to sign at once: the service passes on 100 MB of base64 at most. */
const LARGEST = 70 * 2 ** 20

/** A document to sign by phone: the app shows the name. */
export interface PhoneContent {
  readonly blob: Blob
  readonly name: string
}

/** The part of the app's answer that is read here. */
interface Returned {
  readonly status?: string
  readonly documentsToSign?: readonly {
    readonly id?: number
    readonly document?: { readonly file?: { readonly data?: string } }
  }[]
}

/** Signs with the mobile app: one detached CMS in base64 for each of the contents. Shows a code and links in `place` meanwhile. */
export async function signByPhone(contents: readonly PhoneContent[], place: HTMLElement): Promise<string[]> {
  if (contents.reduce((sum, { blob }) => sum + blob.size, 0) > LARGEST) throw new Told(texts.tooLargeForPhone)
  const begun = await client.beginRawProcedure({
    request: {
      description: contents
        .map(({ name }) => name)
        .join(', ')
        .slice(0, 100),
    },
  })
  const stop = new AbortController()
  const shown = showCode(place, begun, {
    stateURL: ours(begun.stateURL),
    onCancel() {
      stop.abort()
      const qrId = ours(begun.dataURL).split('/').at(-1) ?? ''
      void client.cancelRawProcedure({ qrId }).catch(() => undefined)
    },
  })
  try {
    const { signal } = stop
    return await Promise.race([exchange(begun, contents, signal), shown.failed])
  } finally {
    stop.abort()
    shown.close()
  }
}

/** Sends the documents to the app and waits for the result. The service holds both requests until then. */
async function exchange(
  { dataURL, signURL }: { readonly dataURL: string; readonly signURL: string },
  contents: readonly PhoneContent[],
  signal: AbortSignal,
): Promise<string[]> {
  const documentsToSign = []
  for (const [index, { blob, name }] of contents.entries()) {
    const data = toBase64(new Uint8Array(await blob.arrayBuffer()))
    documentsToSign.push({
      id: index + 1,
      nameRu: name,
      nameKz: name,
      nameEn: name,
      meta: [],
      document: { file: { mime: name.toLowerCase().endsWith('.pdf') ? '@file/pdf' : '', data } },
    })
  }
  const body = JSON.stringify({ signMethod: 'CMS_SIGN_ONLY', documentsToSign })
  await held(
    () => fetch(ours(dataURL), { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal }),
    signal,
  )
  const answer = await held(() => fetch(ours(signURL), { signal }), signal)
  const { status, documentsToSign: signed = [] }: Returned = await answer.json()
  // When the person refused, originals come back unsigned.
  if (status === 'CANCELED') throw new Told(texts.cancelled)
  return contents.map((_, index) => {
    const found = signed.find(({ id }) => id === index + 1) ?? signed[index]
    const data = found?.document?.file?.data
    if (data === undefined) throw new Told(texts.phoneExpired)
    return data.replace(/-----[A-Z0-9 ]+-----/g, '').replace(/\s/g, '')
  })
}

/** Retries when the connection breaks off: the service answers the last request. */
async function held(ask: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  for (;;) {
    try {
      const response = await ask()
      if (response.ok) return response
      throw new Told(texts.phoneExpired)
    } catch (error) {
      if (signal.aborted || !(error instanceof TypeError)) throw error
    }
  }
}

/** The same path on this origin: the service answers with its public URL. */
const ours = (url: string): string => new URL(url).pathname
