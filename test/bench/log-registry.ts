import { anonymous, createRegistry, type Registry } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { type DevAuthorities, devAuthorities } from '@signed-registry/dev-authorities'
import { manyKeys } from './many-keys.js'

const DOCUMENTS_OF_SIGNER = 4

/** A registry that does nothing by itself yet. */
export const openRegistry = (database: string, authorities: DevAuthorities, log: 'off' | { key: string }) =>
  createRegistry({ database, plugins: [devAuthorities({ authorities })], log })

/** New signatures with their evidence, base64. */
export function signatures(authorities: DevAuthorities, count: number): string[] {
  const keys = manyKeys('rsa2048', Math.ceil(count / DOCUMENTS_OF_SIGNER))
  const signers = keys.map((key) => authorities.employee({ key }))
  return Array.from({ length: count }, (_, n) => {
    const signer = signers[n % signers.length]
    if (signer === undefined) throw new Error('There are signers')
    return signer
      .signCms(Buffer.from(`Contract ${n} ${Math.random()}`), { timeStamp: true, ocsp: true })
      .toString('base64')
  })
}

/** Registers a signature of a new document; answers its `signId`. */
export async function register(registry: Registry, signature: string): Promise<number> {
  const { signId = 0 } = await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
  return signId
}
