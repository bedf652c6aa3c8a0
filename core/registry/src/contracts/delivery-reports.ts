import assert from 'node:assert/strict'
import type { DeliveryReports } from '../mail/index.js'
import type { Clause } from './clause.js'

/** The `DeliveryReports` to check against their contract. */
export interface DeliveryReportsUnderTest {
  /** The reports of a return path that has received nothing yet. */
  open(): DeliveryReports | Promise<DeliveryReports>
  /** Delivers a message to the return path. */
  deliver(message: Uint8Array): Promise<void>
}

const BYTES = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256)

/** What every `DeliveryReports` promises; each clause needs a return path of its own. */
export function deliveryReportsContract({ open, deliver }: DeliveryReportsUnderTest): readonly Clause[] {
  const read = async (reports: DeliveryReports): Promise<Buffer[]> => {
    const taken: Buffer[] = []
    await reports.read(async (message) => void taken.push(Buffer.from(message)))
    return taken
  }
  return [
    {
      title: 'hands over each message unchanged, oldest first, and then removes it',
      async check() {
        const reports = await open()
        assert.deepEqual(await read(reports), [])
        const messages = [Buffer.from(BYTES), Buffer.from('second'), Buffer.from('third')]
        for (const message of messages) await deliver(message)
        assert.deepEqual(await read(reports), messages)
        assert.deepEqual(await read(reports), [])
        await deliver(Buffer.from('later'))
        assert.deepEqual(await read(reports), [Buffer.from('later')])
      },
    },
    {
      title: 'hands over again what was not accepted, and everything after it',
      async check() {
        const reports = await open()
        const messages = [Buffer.from('first'), Buffer.from('second'), Buffer.from('third')]
        for (const message of messages) await deliver(message)
        const failure = new Error('the database failed')
        const refuseSecond = async (message: Uint8Array) => {
          if (Buffer.from(message).equals(Buffer.from('second'))) throw failure
        }
        await assert.rejects(reports.read(refuseSecond), failure)
        assert.deepEqual(await read(reports), messages.slice(1))
      },
    },
  ]
}
