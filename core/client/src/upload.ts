/** An original that is read while it is sent, once: outside of browsers, which send a `Blob` of a file in that way. */
export interface UploadStream {
  readonly stream: ReadableStream<Uint8Array>
  /** In bytes. */
  readonly size: number
}

/** An original on its way to the registry. */
export type UploadInput = Blob | Uint8Array<ArrayBuffer> | UploadStream

export const isStream = (upload: UploadInput | undefined): upload is UploadStream =>
  upload !== undefined && 'stream' in upload && 'size' in upload && !(upload instanceof Blob)

/** What came back, whatever carried it. */
export interface RawAnswer {
  readonly status: number
  readonly text: string
  header(name: string): string | null
}

/** Sends a body with progress, which browsers report only for `XMLHttpRequest`. */
export function sendWithProgress(
  url: string,
  {
    headers,
    credentials,
    signal,
  }: { headers: Readonly<Record<string, string>>; credentials: RequestCredentials; signal: AbortSignal | undefined },
  upload: Blob | Uint8Array<ArrayBuffer>,
  onProgress: (sent: number) => void,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.withCredentials = credentials === 'include'
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () =>
      resolve({
        status: request.status,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      })
    request.onerror = () => reject(new TypeError('The request failed'))
    request.onabort = () => reject(signal?.reason ?? new DOMException('Aborted', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(upload)
  })
}

/** An original as a stream that reports how much of it was consumed; for `fetch` outside browsers. */
export function streamOf(
  upload: UploadInput,
  onProgress: (sent: number) => void = () => {},
): ReadableStream<Uint8Array> {
  let sent = 0
  const report = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength
      controller.enqueue(chunk)
      onProgress(sent)
    },
  })
  if (isStream(upload)) return upload.stream.pipeThrough(report)
  const blob = upload instanceof Blob ? upload : new Blob([upload])
  return blob.stream().pipeThrough(report)
}

export const sizeOf = (upload: UploadInput): number => (upload instanceof Uint8Array ? upload.byteLength : upload.size)
