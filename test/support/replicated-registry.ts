import { anonymous, type Caller, type Registry } from '@signed-registry/core'
import { ListDocuments, RegisterDocument } from '@signed-registry/core/documents'
import { Database } from '#core/database/database.js'
import { RecordingLogger } from './recording-logger.js'
import { testRegistry } from './registry.js'
import { until } from './until.js'

const IIN = '900101300010'

/** Who registers and lists there. */
export const OWNER: Caller = { kind: 'person', iin: `IIN${IIN}` }

/** A registry with a replica, and one person who registers and lists. */
export interface ReplicatedRegistry {
  readonly registry: Registry
  readonly logger: RecordingLogger
  register(title: string): Promise<void>
  /** Of what was registered, in the order of the alphabet. */
  titles(): Promise<string[]>
  /** Who answered the reads of `work`, how often. */
  answering<T>(work: () => Promise<T>): Promise<{ answer: T; replica: number; primary: number }>
  /** Waits until the replica answers. */
  untilUsed(): Promise<void>
  /** Why the replica was left alone, each time that the log said so. */
  reasons(): string[]
}

/** Opens a registry on a primary, with a replica. */
export async function openReplicated(primary: string, replica: string): Promise<ReplicatedRegistry> {
  const logger = new RecordingLogger()
  const { registry, authorities } = await testRegistry(primary, { replica, logger })
  const signer = authorities.person({ iin: IIN })
  const figures = () => registry.get(Database).replicaFigures ?? { replica: 0, primary: 0 }
  const titles = async () => {
    const { documents } = await registry.get(ListDocuments).execute(OWNER, {})
    return documents.map(({ title }) => title).sort()
  }
  const answering = async <T>(work: () => Promise<T>) => {
    const before = { ...figures() }
    const answer = await work()
    return { answer, replica: figures().replica - before.replica, primary: figures().primary - before.primary }
  }
  return {
    registry,
    logger,
    async register(title) {
      const signature = signer.signCms(Buffer.from(title)).toString('base64')
      await registry.get(RegisterDocument).execute(anonymous, { request: { title, signature } })
    },
    titles,
    answering,
    untilUsed: () => until(async () => (await answering(titles)).replica > 0),
    reasons: () =>
      logger
        .about(/the replica is not read/)
        .map(({ error }) => (error instanceof Error ? error.message : String(error))),
  }
}
