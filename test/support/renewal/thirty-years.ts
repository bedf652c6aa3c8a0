import { anonymous } from '@signed-registry/core'
import { GetDocumentEvidence } from '@signed-registry/core/evidence'
import { type AlgorithmPolicy, defaultAlgorithmPolicy, defaultSignaturePolicy } from '@signed-registry/core/signatures'
import { evidenceAsic } from '@signed-registry/evidence-asic'
import { DAY, NOW } from '../pki/authorities.js'
import { OIDS } from '../pki/records.js'
import { STATEMENT_KEY } from '../statement-key.js'
import { type RenewedDocument, type RenewingRegistry, renewingRegistry } from './renewing-registry.js'

export const YEAR = 365 * DAY
/** Between runs of the renewal. */
const STEP = 60 * DAY

/** What is trusted until when in the future that is played: SHA-256 for nine years, SHA-384 for twenty. */
export const FUTURE: AlgorithmPolicy = {
  ...defaultAlgorithmPolicy,
  digestsTrustedUntil: { [OIDS.sha256]: NOW + 9 * YEAR, [OIDS.sha384]: NOW + 20 * YEAR },
}

/** A registry whose first documents are registered now, and which renews every other month for thirty years. */
export interface ThirtyYears extends RenewingRegistry {
  readonly all: readonly RenewedDocument[]
  /** Lets time pass until a year has come; `afterEach` is called after each renewal. */
  until(year: number, afterEach?: () => Promise<void>): Promise<void>
  bundle(document: RenewedDocument): Promise<Buffer>
}

/**
 * Authorities last three years, and another one follows each year; after eight years all of them are certified by a new root with
 * longer digests. Documents are registered in the first, third and eighth year.
 */
export async function thirtyYears(database: Parameters<typeof renewingRegistry>[0]): Promise<ThirtyYears> {
  const test = await renewingRegistry(database, {
    signaturePolicy: { ...defaultSignaturePolicy, algorithms: FUTURE },
    renewal: { digests: [OIDS.sha384, OIDS.sha512] },
    digests: [OIDS.sha256, OIDS.sha512],
    statementKey: STATEMENT_KEY,
    plugins: [evidenceAsic({})],
  })
  const all = await test.documents(2)
  const { clock, tsa } = test
  let year = 0
  async function nextYear() {
    year += 1
    if (year === 8) tsa.newGeneration(40, 'sha512', 3)
    else tsa.rollOver(3)
    if (year === 2 || year === 7) all.push(...(await test.documents(1)))
  }
  return {
    ...test,
    all,
    async until(wanted, afterEach = async () => undefined) {
      while (clock.time < NOW + wanted * YEAR) {
        clock.time += STEP
        if (clock.time >= NOW + (year + 1) * YEAR) await nextYear()
        await test.renew()
        await afterEach()
      }
    },
    async bundle({ documentId: id }) {
      const made = await test.registry.get(GetDocumentEvidence).execute(anonymous, { id })
      const chunks: Uint8Array[] = []
      for await (const chunk of made.bytes()) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
  }
}
