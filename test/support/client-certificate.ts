import { createHash, X509Certificate } from 'node:crypto'
import { openssl } from './pki/openssl.js'

/** A self-signed certificate of an information system. */
export interface TestClientCertificate {
  readonly pem: string
  readonly key: string
  readonly der: Buffer
  /** SHA-256 of the certificate, hexadecimal. */
  readonly digest: string
}

/** Makes a certificate; `key` as `openssl req -newkey` takes it. */
export const clientCertificate = (key = 'ec -pkeyopt ec_paramgen_curve:prime256v1'): TestClientCertificate =>
  openssl(
    `req -x509 -newkey ${key} -nodes -keyout key.pem -out cert.pem -subj /CN=system -days 365`,
    {},
    ({ ok, output, file }) => {
      if (!ok) throw new Error(output)
      const pem = file('cert.pem').toString()
      const der = new X509Certificate(pem).raw
      return { pem, key: file('key.pem').toString(), der, digest: createHash('sha256').update(der).digest('hex') }
    },
  )

/** Another certificate of the same key. */
export const renewed = ({ key }: TestClientCertificate, subject = '/CN=renewed'): TestClientCertificate =>
  openssl(
    `req -x509 -new -key key.pem -out cert.pem -subj ${subject} -days 700`,
    { 'key.pem': key },
    ({ ok, output, file }) => {
      if (!ok) throw new Error(output)
      const pem = file('cert.pem').toString()
      const der = new X509Certificate(pem).raw
      return { pem, key, der, digest: createHash('sha256').update(der).digest('hex') }
    },
  )
