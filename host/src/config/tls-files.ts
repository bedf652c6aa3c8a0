import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Variables } from './environment.js'

/** A certificate and its key, PEM. */
export interface TlsFiles {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Reads `TLS_CERT` and `TLS_KEY`, or another such pair, both or neither; says in `wrong` why they cannot be used. */
export function readTlsFiles(variables: Variables, wrong: string[], pair = 'TLS'): TlsFiles | undefined {
  const [certName, keyName] = [`${pair}_CERT`, `${pair}_KEY`]
  const [certFile, keyFile] = [variables[certName], variables[keyName]]
  if (!certFile && !keyFile) return undefined
  if (!certFile || !keyFile) {
    wrong.push(`${certFile ? keyName : certName}: TLS needs both ${certName} and ${keyName}`)
    return undefined
  }
  const read = (name: string, path: string) => {
    try {
      return readFileSync(path)
    } catch {
      wrong.push(`${name}: cannot read ${path}`)
      return undefined
    }
  }
  const [cert, key] = [read(certName, certFile), read(keyName, keyFile)]
  if (cert === undefined || key === undefined) return undefined
  const problem = problemOf({ cert, key }, certName, keyName)
  if (problem !== undefined) wrong.push(problem)
  return { cert, key }
}

function problemOf({ cert, key }: TlsFiles, certName: string, keyName: string): string | undefined {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(cert)
  } catch {
    return `${certName}: holds no PEM certificate`
  }
  try {
    // TLS takes another key than the certificate's without a word, and then refuses every connection.
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return `${keyName}: is not the key of ${certName}`
  } catch {
    return `${keyName}: holds no PEM key that can be read without a password`
  }
  try {
    createSecureContext({ cert, key })
    return undefined
  } catch (error) {
    return `${certName}, ${keyName}: cannot be used for TLS: ${error instanceof Error ? error.message : error}`
  }
}
