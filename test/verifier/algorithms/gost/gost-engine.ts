import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** OpenSSL's engine with the GOST algorithms (Debian package libengine-gost-openssl), a second opinion where it is installed. */
export const hasGostEngine = existsSync('/usr/lib/x86_64-linux-gnu/engines-3/gost.so')

export function openssl(args: readonly string[], input: Uint8Array = new Uint8Array()): Buffer {
  return execFileSync('openssl', [...args], { input, stdio: ['pipe', 'pipe', 'ignore'] })
}

/** The hash of a message in hexadecimal, by the engine. */
export function engineDigest(name: string, message: Uint8Array): string {
  return openssl(['dgst', '-engine', 'gost', '-binary', `-${name}`], message).toString('hex')
}

/** A fresh private key of the engine as PEM, with the x and y of its public key as they stand in a certificate. */
export function engineKey(algorithm: string, parameters: string, length: number) {
  const keyFile = openssl(['genpkey', '-engine', 'gost', '-algorithm', algorithm, '-pkeyopt', `paramset:${parameters}`])
  const spki = openssl(['pkey', '-engine', 'gost', '-pubout', '-outform', 'DER'], keyFile)
  return { keyFile, publicOctets: spki.subarray(-length) }
}

/** The engine's signature of a digest; it writes s and r with the highest octet first (RFC 4491), here the other way round. */
export function engineSignature(keyFile: Uint8Array, digest: Uint8Array): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'gost-engine-'))
  try {
    writeFileSync(join(folder, 'key.pem'), keyFile)
    const args = ['pkeyutl', '-engine', 'gost', '-sign', '-inkey', join(folder, 'key.pem')]
    return openssl(args, digest).reverse()
  } finally {
    rmSync(folder, { recursive: true })
  }
}
