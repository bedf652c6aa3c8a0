import { anonymous, Database, type Plugin, RegistryError } from '@signed-registry/core'

import { Authenticate } from '@signed-registry/core/auth'
import {
  BeginDocumentProcedure,
  BeginPackageProcedure,
  CancelPackageProcedure,
  GetDocumentProcedure,
  GetPackageProcedure,
} from '@signed-registry/core/procedures'
import { expect } from 'chai'
import { procedureDeviations } from '#core/deviations/procedures.js'
import { systemCaller } from '../support/core-registry.js'
import type { OpenDatabase } from '../support/databases.js'
import { eventsOf } from '../support/events.js'
import { fixedPackage } from '../support/packages.js'
import { beginRaw, followLink, relayInProcess } from '../support/procedures-in-process.js'
import { type TestRegistry, testRegistry } from '../support/registry.js'
import { until } from '../support/until.js'
import { deviate } from './deviate.js'

const REFUSED = { status: 'CANCELED', documentsToSign: [] }

describe('deviations about procedures', () => {
  const on = async (open: OpenDatabase, work: (test: TestRegistry) => Promise<void>, ...plugins: Plugin[]) => {
    const test = await testRegistry(await open(), { plugins })
    await work(test)
    await test.registry.close()
  }

  /** Procedures of a package and of its document, whose originals come along. */
  async function procedures(test: TestRegistry) {
    const { registry } = test
    const caller = systemCaller()
    const { packageId, documentsIds, originals } = await fixedPackage(test, { count: 1, caller })
    const [[id = ''], [original = Buffer.alloc(0)]] = [documentsIds, originals]
    const document = original.toString('base64')
    const asked = { description: 'Sign', tempStorage: true }
    return {
      async ofPackage() {
        const request = { ...asked, documents: [document] }
        const begun = await registry.get(BeginPackageProcedure).execute(caller, { packageId, request })
        const of = { packageId, operationId: begun.operationId }
        return {
          begun,
          cancel: () => registry.get(CancelPackageProcedure).execute(caller, of),
          status: async () => (await registry.get(GetPackageProcedure).execute(caller, of)).status,
        }
      },
      async ofDocument() {
        const begun = await registry
          .get(BeginDocumentProcedure)
          .execute(caller, { id, request: { ...asked, document } })
        const of = { id, operationId: begun.operationId }
        return { begun, status: async () => (await registry.get(GetDocumentProcedure).execute(caller, of)).status }
      },
    }
  }

  const told = ({ registry }: TestRegistry) =>
    eventsOf(registry).flatMap((event) => (event.type === 'procedureChanged' ? [event.status] : []))

  deviate(procedureDeviations, {
    noDataThatLogIn: {
      ours: (open) =>
        on(open, async ({ registry }) => {
          const answer = await registry.get(Authenticate).execute(anonymous, { request: {} })
          const begun = await beginRaw(registry)
          const app = await followLink(registry, begun)
          const stop = new AbortController()
          const given = app.documents(stop.signal).catch((error: unknown) => error)
          const sent = await begun.send(JSON.stringify(answer)).catch((error: unknown) => error)
          expect(sent).to.be.instanceOf(RegistryError).with.property('code', 'nonceToSign')
          stop.abort()
          expect(await given).to.be.instanceOf(Error)
        }),
      asWritten: (open) =>
        on(open, async ({ registry }) => {
          const body = ' {"documentsToSign":[{"id":1,"documentXml":"<a>б</a>"}]}\r\n'
          const begun = await beginRaw(registry)
          const app = await followLink(registry, begun)
          const [given] = await Promise.all([app.documents(), begun.send(body)])
          expect(given.toString()).to.equal(body)
        }),
    },
    strangersAreShown: {
      ours: (open) =>
        on(open, async ({ registry }) => {
          const { described } = await followLink(registry, await beginRaw(registry))
          expect(described.description).to.match(/^Непроверенный отправитель .* Unverified sender: Sign this$/)
        }),
      asWritten: (open) =>
        on(open, async ({ registry }) => {
          const { described } = await followLink(registry, await beginRaw(registry, { caller: systemCaller() }))
          expect(described.description).to.equal('Sign this')
        }),
    },
    packagesAreCanceled: {
      ours: (open) =>
        on(open, async (test) => {
          const { ofPackage } = await procedures(test)
          const [refused, deleted] = [await ofPackage(), await ofPackage()]
          const app = await followLink(test.registry, refused.begun)
          await app.documents()
          await app.answer(REFUSED)
          expect(await refused.status()).to.equal('canceled')
          await deleted.cancel()
          expect(await deleted.status()).to.equal('canceled')
        }),
      asWritten: (open) =>
        on(open, async (test) => {
          const { ofPackage, ofDocument } = await procedures(test)
          const [failed, canceled] = [await ofPackage(), await ofDocument()]
          const [one, other] = [
            await followLink(test.registry, failed.begun),
            await followLink(test.registry, canceled.begun),
          ]
          await one.documents()
          await one.answer({ documentsToSign: [] }).catch(() => undefined)
          expect(await failed.status()).to.equal('fail')
          await other.documents()
          await other.answer(REFUSED)
          expect(await canceled.status()).to.equal('canceled')
        }),
    },
    relayTellsMetaLate: {
      async ours(open) {
        const relay = relayInProcess()
        await on(
          open,
          async (test) => {
            test.registry.start()
            const { status } = await (await procedures(test)).ofPackage()
            expect([await status(), told(test)]).to.deep.equal(['new', []])
            relay.delivered()
            await until(async () => told(test).includes('data'))
            expect([await status(), told(test)]).to.deep.equal(['data', ['meta', 'data']])
          },
          relay.plugin,
        )
      },
      asWritten: (open) =>
        on(open, async (test) => {
          const { begun, status } = await (await procedures(test)).ofPackage()
          const app = await followLink(test.registry, begun)
          expect(await status()).to.equal('meta')
          await app.documents()
          expect(told(test)).to.deep.equal(['meta', 'data'])
        }),
    },
    relayReadsAtOnce: {
      async ours(open) {
        const relay = relayInProcess()
        await on(
          open,
          async ({ registry }) => {
            registry.start()
            const begun = await beginRaw(registry)
            const reads: string[] = []
            const sent = begun.send('{"documentsToSign":[]}', () => reads.push('body'))
            await until(async () => reads.length > 0)
            expect(await begun.state()).to.equal('new')
            relay.delivered()
            await sent
            expect(await begun.state()).to.equal('data')
          },
          relay.plugin,
        )
      },
      asWritten: (open) =>
        on(open, async ({ registry }) => {
          const begun = await beginRaw(registry)
          const reads: string[] = []
          const sent = begun.send('{"documentsToSign":[]}', () => reads.push('body'))
          await until(async () => (await registry.get(Database).query('registry_held_calls')).length > 0)
          const app = await followLink(registry, begun)
          expect([await begun.state(), reads]).to.deep.equal(['meta', []])
          await Promise.all([app.documents(), sent])
          expect(reads).to.deep.equal(['body'])
        }),
    },
  })
})
