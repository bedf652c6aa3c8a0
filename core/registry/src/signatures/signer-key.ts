import { createHash } from 'node:crypto'
import type { Certificate } from '@signed-registry/verifier'
import type { SignerKey, SignerKeys } from './ports.js'

/** A signer's key and certificate as they are looked up by. */
export const signerKey = ({ spki, fingerprint }: Certificate): SignerKey => ({
  key: createHash('sha256').update(spki).digest(),
  certificate: Buffer.from(fingerprint, 'hex'),
})

/** Whether anybody who keeps signatures knows the key of a certificate under another one. */
export const isKeyUnderOther =
  (keepers: readonly SignerKeys[]) =>
  async (signer: Certificate): Promise<boolean> => {
    const asked = signerKey(signer)
    const answers = await Promise.all(keepers.map((keeper) => keeper.isUnderOther(asked)))
    return answers.includes(true)
  }
