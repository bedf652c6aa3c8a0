export { pem } from '@signed-registry/verifier'

/** The DER of every block with that label, in order. */
export function readPem(label: 'CERTIFICATE' | 'PRIVATE KEY', text: string): Buffer[] {
  const blocks = text.matchAll(new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`, 'g'))
  return [...blocks].map(([, base64 = '']) => Buffer.from(base64, 'base64'))
}
