/** An original on its way to the registry. */
export type UploadInput = Blob | Uint8Array<ArrayBuffer>

/** What came back, whatever carried it. */
export interface RawAnswer {
  readonly status: number
  readonly text: string
  header(name: string): string | null
}

/** Sends a body with progress, which browsers report only for `XMLHttpRequest`. */
export function sendWithProgress(
  url: string,
  headers: Readonly<Record<string, string>>,
  upload: UploadInput,
  onProgress: (sent: number) => void,
  signal: AbortSignal | undefined,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.withCredentials = true
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () =>
      resolve({
        status: request.status,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      })
    request.onerror = () => reject(new TypeError('The registry cannot be reached'))
    request.onabort = () => reject(signal?.reason ?? new DOMException('Aborted', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(upload)
  })
}

const CHUNK = 64 * 1024

/** A stream that reports how much of it was consumed; for `fetch` outside browsers. */
export function streamWithProgress(
  upload: UploadInput,
  onProgress: (sent: number) => void,
): ReadableStream<Uint8Array> {
  const blob = upload instanceof Blob ? upload : new Blob([upload])
  let sent = 0
  return new ReadableStream({
    async pull(controller) {
      const chunk = new Uint8Array(await blob.slice(sent, sent + CHUNK).arrayBuffer())
      sent += chunk.length
      if (chunk.length > 0) controller.enqueue(chunk)
      onProgress(sent)
      if (sent >= blob.size) controller.close()
    },
  })
}

export const sizeOf = (upload: UploadInput): number => (upload instanceof Blob ? upload.size : upload.byteLength)
