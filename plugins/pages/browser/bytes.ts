/** Base64 of bytes. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

/** Bytes of base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const decoded = atob(text)
  const bytes = new Uint8Array(decoded.length)
  for (let at = 0; at < decoded.length; at += 1) bytes[at] = decoded.charCodeAt(at)
  return bytes
}

/** A new idempotency key. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
