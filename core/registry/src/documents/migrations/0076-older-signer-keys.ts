import type { Knex } from 'knex'
import { readCms, readXmlSignature, signerKey } from '../../signatures/index.js'

const SIGNATURES_AT_ONCE = 200

interface Kept {
  readonly sign_id: number
  readonly sign_type: string
  readonly signature: Uint8Array
}

/** Signatures from before `signer_key` are found by their signer's key as all others are. */
export async function up(knex: Knex): Promise<void> {
  for (let after = 0; ; ) {
    const kept: Kept[] = await knex('registry_signatures')
      .where('sign_id', '>', after)
      .whereNull('signer_key')
      .orderBy('sign_id')
      .limit(SIGNATURES_AT_ONCE)
      .select('sign_id', 'sign_type', 'signature')
    await knex.transaction(async (trx) => {
      for (const { sign_id, ...stored } of kept) {
        const found = keyOf(stored)
        if (found === undefined) continue
        await trx('registry_signatures')
          .where({ sign_id })
          .update({
            signer_key: Buffer.from(found.key),
            signer_certificate: Buffer.from(found.certificate),
          })
      }
    })
    const last = kept.at(-1)
    if (last === undefined) return
    after = Number(last.sign_id)
  }
}

/** `undefined` for one that today's reader does not take any more: it stays as it is. */
function keyOf({ sign_type, signature }: Omit<Kept, 'sign_id'>) {
  try {
    const read =
      sign_type === 'cms' ? readCms(signature) : readXmlSignature(Buffer.from(signature).toString('utf8'), {})
    return signerKey(read.signer)
  } catch {
    return undefined
  }
}
