/** RFC 7468 text around DER. */
export function pem(label: 'CERTIFICATE' | 'CMS' | 'X509 CRL' | 'PRIVATE KEY', der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/** The DER of every block with that label, in order. */
export function readPem(label: 'CERTIFICATE' | 'PRIVATE KEY', text: string): Buffer[] {
  const blocks = text.matchAll(new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`, 'g'))
  return [...blocks].map(([, base64 = '']) => Buffer.from(base64, 'base64'))
}
