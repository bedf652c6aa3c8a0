import { createPublicKey } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { GetLog } from '@signed-registry/core/log'
import { cosignerKey, originHash, policyVerdict, readLogPolicy } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { LogWorker } from '#core/log/log-worker.js'
import { forEachDatabase } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { logKeyOf, privateKeyOf } from '../support/log/note-keys.js'
import { RecordingLogger } from '../support/recording-logger.js'

const pem = (number: number) => privateKeyOf(number).export({ type: 'pkcs8', format: 'pem' }).toString()

/** A registry before it starts: its address, and its keys by their numbers. */
interface Plan {
  readonly port: number
  readonly origin: string
  readonly logKey: number
  readonly witnessKey: number
}
const logLine = ({ origin, logKey }: Plan) => `log ${logKeyOf(origin, logKey)}`
const witnessLine = ({ port, witnessKey }: Plan) => {
  const key = cosignerKey(`127.0.0.1:${port}/witness`, createPublicKey(privateKeyOf(witnessKey)))
  return `witness w ${key} http://127.0.0.1:${port}/api/witness`
}

describe('two registries that are witnesses of each other', () => {
  forEachDatabase((open) => {
    const plans: readonly Plan[] = [
      { port: 0, origin: 'one.example/log', logKey: 1, witnessKey: 2 },
      { port: 0, origin: 'two.example/log', logKey: 3, witnessKey: 4 },
    ]
    let hosts: TestHost[]
    let placed: Plan[]
    let folder: string
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-witnesses-'))
      placed = await Promise.all(plans.map(async (plan) => ({ ...plan, port: await freePort() })))
      hosts = await Promise.all(placed.map((plan, at) => start(plan, placed[1 - at] ?? plan)))
    })
    after(async () => {
      for (const host of hosts) await host.close()
      rmSync(folder, { recursive: true })
    })

    const policyFor = (other: Plan) => `${witnessLine(other)}\nquorum w\n`
    const start = ({ port, origin, logKey, witnessKey }: Plan, other: Plan) =>
      startTestHost(open, {
        port,
        logger: new RecordingLogger(),
        registry: {
          log: {
            key: pem(logKey),
            origin,
            folder: join(folder, `${port}`),
            witnesses: policyFor(other),
            witnessFor: `${logLine(other)}\nquorum none\n`,
            witnessKey: pem(witnessKey),
          },
        },
      })
    const register = async ({ registry, authorities }: TestHost) => {
      const signature = authorities
        .person()
        .signCms(Buffer.from(`${Math.random()}`))
        .toString('base64')
      await registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      await registry.get(LogWorker).run()
    }

    it('cosign what the other publishes, and show it to monitors', async () => {
      for (let round = 0; round < 3; round += 1) for (const host of hosts) await register(host)
      for (const [at, host] of hosts.entries()) {
        const [own, other] = [placed[at], placed[1 - at]]
        if (own === undefined || other === undefined) throw new Error('There are two')
        const { checkpoint = '', size } = await host.registry.get(GetLog).execute()
        expect(size).to.be.greaterThan(2)
        const policy = readLogPolicy(`${logLine(own)}\n${policyFor(other)}`)
        expect(policyVerdict(checkpoint, policy)).to.deep.include({
          log: logKeyOf(own.origin, own.logKey),
          quorum: true,
        })
        const monitored = await fetch(`http://127.0.0.1:${other.port}/api/witness/${originHash(own.origin)}/checkpoint`)
        expect(await monitored.text()).to.equal(checkpoint)
      }
    })

    it('go on alone while the other is away', async () => {
      const [one, two] = hosts
      const [, away] = placed
      if (one === undefined || two === undefined || away === undefined) throw new Error('There are two')
      const { size: before } = await one.registry.get(GetLog).execute()
      await two.app.close()
      await register(one)
      const { checkpoint = '', size } = await one.registry.get(GetLog).execute()
      expect(size).to.be.greaterThan(before)
      expect(policyVerdict(checkpoint, readLogPolicy(policyFor(away))).quorum).to.equal(false)
    })
  })
})
