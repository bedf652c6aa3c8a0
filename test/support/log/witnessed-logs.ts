import { createPublicKey } from 'node:crypto'
import { anonymous, provideValue } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { GetLog } from '@signed-registry/core/log'
import { openCheckpoint, verifyCosignature } from '@signed-registry/verifier/log'
import { LogTimes, LogWorker } from '#core/log/log-worker.js'
import { verifierKey } from '#verifier/notes/verifier-key.js'
import { type ForwardTime, forwardTime } from '../forward-time.js'
import { testAuthorities, testClock } from '../pki/authorities.js'
import { RecordingLogger } from '../recording-logger.js'
import { type TestRegistry, testRegistry } from '../registry.js'
import { FakeWitness, policyOf } from './fake-witness.js'
import { privateKeyOf } from './note-keys.js'

export const WITNESSED_ORIGIN = 'registry.example/log'
/** The key of such logs, in PEM. */
export const WITNESSED_PEM: string = privateKeyOf(1).export({ type: 'pkcs8', format: 'pem' }).toString()
const logKey = verifierKey(WITNESSED_ORIGIN, createPublicKey(privateKeyOf(1)))
/** Hosts take turns at once. */
const times = { name: 'times', provides: [provideValue(LogTimes, { gatherMs: 1000, pollMs: 2000, turnMs: 0 })] }

type Host = Pick<TestRegistry, 'registry' | 'authorities'>

/** Hosts of a log that witnesses on loopback are asked to cosign, for a suite; pauses end when its `time` passes. */
export function witnessedLogs(open: () => Promise<string>) {
  const closing: (() => Promise<void>)[] = []
  let time: ForwardTime | undefined
  beforeEach(() => {
    time = forwardTime()
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    time?.end()
  })

  const witnessAt = async (number: number) => {
    const witness = await FakeWitness.start(number, logKey)
    closing.push(() => witness.close())
    return witness
  }
  const start = async (
    witnesses: readonly FakeWitness[],
    { database, policy = policyOf(...witnesses) }: { database?: string; policy?: string } = {},
  ) => {
    const clock = testClock()
    const logger = new RecordingLogger()
    const authorities = testAuthorities({ clock })
    const log = { key: WITNESSED_PEM, origin: WITNESSED_ORIGIN, witnesses: policy }
    const url = database ?? (await open())
    const test = await testRegistry(url, { clock, authorities, logger, log, plugins: [times] })
    let isOpen = true
    const close = async () => {
      if (isOpen) await test.registry.close()
      isOpen = false
    }
    closing.push(close)
    return { ...test, url, logger, close }
  }
  const work = ({ registry }: Pick<Host, 'registry'>) => registry.get(LogWorker).run()
  const register = async ({ registry, authorities }: Host) => {
    const data = Buffer.from(`${Math.random()}`)
    const signature = authorities.person().signCms(data).toString('base64')
    await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
  }
  const grow = async (host: Host) => {
    await register(host)
    await work(host)
  }
  const published = async ({ registry }: Pick<Host, 'registry'>) => {
    const { checkpoint } = await registry.get(GetLog).execute()
    return checkpoint === undefined ? undefined : openCheckpoint(checkpoint, logKey)
  }
  const cosigners = async (host: Host, ...witnesses: readonly FakeWitness[]) => {
    const { note = '' } = (await published(host)) ?? {}
    return witnesses.filter((one) => verifyCosignature(note, one.verifierKey)).map(({ name }) => name)
  }
  const pass = (milliseconds: number) => time?.pass(milliseconds)
  return { witnessAt, start, work, register, grow, published, cosigners, pass }
}
