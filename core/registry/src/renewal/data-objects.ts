import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type DataObject, writeDataObject } from '@signed-registry/verifier/records'
import { DocumentStore, RevocationListStore, type SignatureRecord, SignatureStore } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { CheckpointStore, type ProvedEntry, ProveEntry } from '../log/index.js'
import { readCertificates } from '../signatures/index.js'
import type { ObjectRest } from './renewal-tables.js'

/** Objects that are written before others have their turn, for a millisecond. */
const AT_ONCE = 8

/** Makes the data objects that evidence records are about, and makes them again, byte for byte. */
export class DataObjects {
  static readonly inject = {
    signatures: SignatureStore,
    documents: DocumentStore,
    lists: RevocationListStore,
    proving: ProveEntry,
    checkpoints: CheckpointStore,
  }

  constructor(private readonly use: Injected<typeof DataObjects.inject>) {}

  /** What has to be kept of new data objects, in the order of these signatures; `isPending` while the log cannot prove one yet. */
  async rests(
    signatures: readonly SignatureRecord[],
    authoritiesOf: (signature: SignatureRecord) => readonly string[],
  ): Promise<{ readonly rest: ObjectRest; readonly isPending: boolean }[]> {
    const digests = await this.use.documents.digestsOfAll([...new Set(signatures.map(({ documentId }) => documentId))])
    const proved = await this.use.proving.ofAll(
      'signature',
      signatures.map(({ signId }) => `${signId}`),
    )
    return signatures.map((signature) => {
      const own = [...(digests.get(signature.documentId) ?? [])].map(([oid, value]) => [oid, hex(value)] as const)
      const signed = Object.entries(signature.signedDigests).map(
        ([oid, value]) => [oid, hex(Buffer.from(value, 'base64'))] as const,
      )
      const logged = provedBy(proved.get(`${signature.signId}`))
      const rest = { digests: Object.fromEntries([...signed, ...own]), authorities: [...authoritiesOf(signature)] }
      return { rest: { ...rest, ...logged }, isPending: logged === undefined }
    })
  }

  /** The bytes of data objects. */
  async bytes(all: readonly (readonly [SignatureRecord, ObjectRest])[]): Promise<Buffer[]> {
    const stamps = new Map<string, Promise<Uint8Array | undefined>>()
    const stampOf = ({ log, size }: NonNullable<ObjectRest['checkpoint']>) => {
      const key = `${log} ${size}`
      const known = stamps.get(key) ?? this.use.checkpoints.of(log, size).then((one) => one?.stamp)
      stamps.set(key, known)
      return known
    }
    const objects: Buffer[] = []
    for (const [signature, rest] of all) {
      if (objects.length % AT_ONCE === AT_ONCE - 1) await pause(1)
      const proofStamp = rest.checkpoint && (await stampOf(rest.checkpoint))
      objects.push(writeDataObject(await this.object(signature, rest, proofStamp)))
    }
    return objects
  }

  private async object(
    signature: SignatureRecord,
    { digests, authorities, proof }: ObjectRest,
    proofStamp: Uint8Array | undefined,
  ): Promise<DataObject> {
    const { documentId, signId, storedAt, signType, timeStamp, ocsp } = signature
    const { crls } = await this.use.signatures.evidence(signature)
    const above = await this.use.lists.load(Buffer.from(authorities.join(''), 'hex'))
    return {
      ...{ documentId, signId, storedAt, signType, timeStamp, ocsp },
      signature: signature.signature,
      digests: new Map(Object.entries(digests).map(([oid, value]) => [oid, Buffer.from(value, 'hex')])),
      // In an order that depends on nothing.
      crls: byFingerprint(crls),
      certificates: byFingerprint([...readCertificates(signature.certificates).map(({ der }) => der), ...above]),
      proof: proof === undefined ? undefined : Buffer.from(proof),
      proofStamp,
    }
  }
}

/** What the log proves, with a stamped checkpoint; nothing of what is not in it, and `undefined` of what is still to come. */
function provedBy(found: ProvedEntry | undefined): Pick<ObjectRest, 'proof' | 'checkpoint'> | undefined {
  if (found === undefined || found.state === 'pending') return undefined
  if (found.state !== 'logged') return {}
  const { log, size, stamp } = found.checkpoint
  return stamp === undefined ? undefined : { proof: found.proof, checkpoint: { log, size } }
}

function byFingerprint(all: readonly Uint8Array[]): Uint8Array[] {
  const known = new Map(all.map((one) => [createHash('sha256').update(one).digest('hex'), one]))
  return [...known].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, octets]) => octets)
}

const hex = (octets: Uint8Array): string => Buffer.from(octets).toString('hex')
