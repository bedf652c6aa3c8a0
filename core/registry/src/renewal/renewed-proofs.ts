import { Database } from '../database/database.js'
import { places } from '../database/table.js'
import { type RenewedProof, type RenewedProofs, SignatureStore } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { BatchStore } from './batch-store.js'
import { DataObjects } from './data-objects.js'
import { EvidenceRecords } from './evidence-records.js'
import { type Member, membersTable } from './renewal-tables.js'

/** Finds the evidence records of signatures, with the data objects that they are about. */
export class KeptRecords implements RenewedProofs {
  static readonly inject = {
    database: Database,
    batches: BatchStore,
    objects: DataObjects,
    records: EvidenceRecords,
    signatures: SignatureStore,
  }

  constructor(private readonly use: Injected<typeof KeptRecords.inject>) {}

  async of(signIds: readonly number[]): Promise<ReadonlyMap<number, RenewedProof>> {
    const members = await this.members(signIds)
    const proofs = new Map<number, RenewedProof>()
    for (const number of new Set(members.map(({ batch }) => batch))) {
      const own = members.filter(({ batch }) => batch === number)
      for (const [signId, proof] of await this.inBatch(number, own)) proofs.set(signId, proof)
    }
    return proofs
  }

  private async members(signIds: readonly number[]): Promise<Member[]> {
    const sql = `select ${membersTable.columns.join(', ')} from registry_renewal_members where sign_id in (${places(signIds)})`
    return (await this.use.database.rows(sql, signIds)).map((row) => membersTable.read(row))
  }

  private async inBatch(number: number, members: readonly Member[]): Promise<(readonly [number, RenewedProof])[]> {
    const renewedAt = (await this.use.batches.stamps(number)).at(-1)?.genTime
    if (renewedAt === undefined) return []
    const places = members.map(({ place }) => place)
    const records = await this.use.records.of(number, places)
    const signatures = await this.use.signatures.withEvidence(members.map(({ signId }) => signId))
    const found = members.flatMap((member) => {
      const signature = signatures.find(({ signId }) => signId === member.signId)
      const record = records?.get(member.place)
      return signature === undefined || record === undefined ? [] : [{ signature, member, record }]
    })
    const objects = await this.use.objects.bytes(found.map(({ signature, member }) => [signature, member.rest]))
    return found.flatMap(({ member, record }, index) => {
      const object = objects[index]
      return object === undefined ? [] : [[member.signId, { object, record, renewedAt }] as const]
    })
  }
}
