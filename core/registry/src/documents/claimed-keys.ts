import { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { bytes, table } from '../database/table.js'
import type { Injected } from '../kernel/service.js'
import { type SignerKey, signatureErrors } from '../signatures/index.js'

const claimedKeys = table('registry_claimed_keys', {
  signerKey: bytes('signer_key'),
  signerCertificate: bytes('signer_certificate'),
})

/** Binds keys whose signatures do not name their certificate to one certificate each. */
export class ClaimedKeys {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof ClaimedKeys.inject>) {}

  /**
   * The first signature of a key writes its row for ever: of two concurrent ones under different certificates, even on two
   * nodes of a cluster, one loses. Rejects with `invalidSignature`.
   */
  async claim({ key, certificate }: SignerKey): Promise<void> {
    const claim = claimedKeys.row({ signerKey: key })
    const rows = () => this.use.database.query(claimedKeys.name)
    let found = await rows().where(claim).first(claimedKeys.columns)
    if (found === undefined) {
      if (await insertOrLose(rows().insert(claimedKeys.row({ signerKey: key, signerCertificate: certificate })))) return
      // Inserted after this transaction's snapshot, so only a locking read sees it.
      found = await rows().where(claim).forUpdate().first(claimedKeys.columns)
    }
    if (Buffer.compare(claimedKeys.read(found).signerCertificate, certificate) === 0) return
    const reason = { reason: 'signingCertificate', verdict: 'keyUnderOtherCertificate' }
    throw signatureErrors.error('invalidSignature', reason)
  }
}
