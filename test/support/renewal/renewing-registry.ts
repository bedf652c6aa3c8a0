import { anonymous, type RegistryOptions, TrustStore } from '@signed-registry/core'
import { FixDigests, RegisterDocument, VerifyDocument } from '@signed-registry/core/documents'
import { type RecordProof, verifyEvidenceRecord } from '@signed-registry/verifier/records'
import { RenewedProofs } from '#core/documents/index.js'
import { LostStore } from '#core/renewal/lost-store.js'
import { RenewEvidence } from '#core/renewal/renew-evidence.js'
import { ReportRenewal } from '#core/renewal/renewal-report.js'
import type { LostProof } from '#core/renewal/renewal-tables.js'
import { digest } from '#verifier/algorithms/digest.js'
import { type LoggingRegistry, loggingRegistry } from '../log/logging-registry.js'
import { LOG_KEY } from '../log-key.js'
import { DAY, testAuthorities, testClock } from '../pki/authorities.js'
import { uploadOf } from '../registry.js'
import { LongLivedAuthority } from './long-lived-authority.js'

const HOUR = DAY / 24

/** A document whose original is known. */
export interface RenewedDocument {
  readonly documentId: string
  readonly signId: number
  readonly original: Buffer
}

/** A registry whose evidence is renewed by hand, as often as a test wants. */
export interface RenewingRegistry extends LoggingRegistry {
  readonly tsa: LongLivedAuthority
  /** Registers documents, and lets so much time pass that they may be renewed. */
  documents(count: number): Promise<RenewedDocument[]>
  renew(isForced?: boolean): Promise<void>
  report(): ReturnType<ReportRenewal['report']>
  /** Signatures that nothing proves any more. */
  lost(): Promise<LostProof[]>
  verify(document: RenewedDocument): ReturnType<VerifyDocument['execute']>
  /** What the record of a signature proves now; `undefined` where it has none. */
  record(document: RenewedDocument): Promise<RecordProof | undefined>
}

/** Opens one; the first time-stamping authority is valid for so many years. */
export async function renewingRegistry(
  database: RegistryOptions['database'],
  { years = 3, ...options }: Partial<RegistryOptions> & { readonly years?: number } = {},
): Promise<RenewingRegistry> {
  const clock = testClock()
  const authorities = testAuthorities({ clock })
  const tsa = new LongLivedAuthority(authorities, clock, years)
  const { plugins = [], clock: _, log = { key: LOG_KEY }, database: __, ...rest } = options
  const test = await loggingRegistry(database, log, {
    ...rest,
    clock,
    authorities,
    plugins: [tsa.plugin, ...plugins],
  })
  const { registry } = test
  return {
    ...test,
    tsa,
    async documents(count) {
      const made: RenewedDocument[] = []
      for (let n = 0; n < count; n += 1) {
        const original = Buffer.from(`I owe you ${Math.random()} tenge.`)
        const signature = authorities.person().signCms(original).toString('base64')
        const { documentId, signId = 0 } = await registry
          .get(RegisterDocument)
          .execute(anonymous, { request: { signature } })
        await registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
        made.push({ documentId, signId, original })
      }
      await test.integrate()
      clock.time += 3 * HOUR
      tsa.refresh()
      await test.integrate()
      return made
    },
    async renew(isForced = false) {
      tsa.refresh()
      await registry
        .get(RenewEvidence)
        .renew({ requestedAt: isForced ? clock.time : undefined, isStopped: () => false })
    },
    report: () => registry.get(ReportRenewal).report(),
    async lost() {
      const all: LostProof[] = []
      for await (const one of registry.get(LostStore).all()) all.push(one)
      return all
    },
    verify: ({ documentId: id, original }) =>
      registry.get(VerifyDocument).execute(anonymous, { id, upload: uploadOf(original) }),
    async record({ signId }) {
      const found = (await registry.get(RenewedProofs).of([signId])).get(signId)
      if (found === undefined) return undefined
      const { object, record } = found
      const context = { trust: registry.get(TrustStore).trust(), now: clock.time, ...rest.signaturePolicy }
      return verifyEvidenceRecord(record, (oid) => digest(oid, object), context)
    },
  }
}
