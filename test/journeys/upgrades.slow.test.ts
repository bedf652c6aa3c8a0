import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, isProblem } from '@signed-registry/client'
import { devAuthorities } from '@signed-registry/dev-authorities'
import { webhookHttp } from '@signed-registry/webhook-http'
import { expect } from 'chai'
import { forEachEmptyDatabase } from '../support/databases.js'
import { startTestHost, type TestHost } from '../support/host.js'
import { brokenInvariants } from '../support/invariants.js'
import { onPath } from '../support/programs.js'
import { RELEASED, type ReleasedDatabase, useReleased, writeReleased } from '../support/released-databases.js'
import { CAR, login, ORGANIZATION } from './every-operation.js'

const archives = existsSync(RELEASED) ? readdirSync(RELEASED).filter((name) => name.endsWith('.tar.gz')) : []

describe('a host of this version', () => {
  forEachEmptyDatabase((open) => {
    for (const archive of archives)
      it(`goes on with what ${archive.replace('.tar.gz', '')} left`, () =>
        useReleased(join(RELEASED, archive), open, goesOn))
  })

  describe('and the next release', () => {
    let folder: string
    before(async function () {
      if (onPath('mariadb-dump') === undefined) {
        if (process.env.REQUIRE_MYSQL === '1') throw new Error('REQUIRE_MYSQL=1, but mariadb-dump is not installed')
        this.skip()
      }
      folder = mkdtempSync(join(tmpdir(), 'registry-upgrades-'))
      await writeReleased(join(folder, 'next.tar.gz'))
    })
    after(() => folder && rmSync(folder, { recursive: true }))

    forEachEmptyDatabase((open) => {
      it('will go on with what this one leaves', () => useReleased(join(folder, 'next.tar.gz'), open, goesOn))
    })
  })
})

/** Reads and verifies what is there, and registers, signs, sends and answers more. */
async function goesOn({ open, authorities, clock }: ReleasedDatabase): Promise<void> {
  const plugins = [devAuthorities({ authorities }), webhookHttp({})]
  const host = await startTestHost(open, { authorities, plugins, clock })
  try {
    host.registry.start()
    const author = await login(createClient({ baseUrl: host.url }), authorities.named('person-1'))
    const head = await login(createClient({ baseUrl: host.url }), authorities.named('head-1'))
    await readsOld(author, head)
    await signsOld(author, head, host)
    await registersNew(author, head, host)
    expect(await brokenInvariants(host.registry)).to.deep.equal([])
  } finally {
    await host.close()
  }
}

async function readsOld(author: Client, head: Client): Promise<void> {
  const { documents } = await author.listDocuments()
  expect(documents.map(({ title }) => title)).to.include.members(['Car.pdf', 'Contract.pdf'])
  for (const { documentId: id } of documents) {
    const { signatures } = await author.getDocument({ id })
    for (const { signId } of signatures) {
      const { signature } = await author.exportSignature({ id, signId })
      expect((await author.findExportedSignature({ request: { signature } })).documentId).to.equal(id)
    }
    await author.getDocumentDigests({ id })
    await author.getDocumentThread({ id })
  }
  const { items } = await author.listOutgoing()
  const packages = items.flatMap((item) => item.packageId ?? [])
  expect(packages).to.have.length(1)
  for (const packageId of packages) expect((await author.getPackage({ packageId })).documentsIds).to.have.length(2)
  expect(items).to.have.length.above(1)
  expect((await head.getWebhooks()).webhooks).to.have.length.above(0)
  expect((await head.getOrganizationSettings()).routingContactEmail).to.equal('office@example.kz')
  expect((await author.getUserSettings()).email).to.equal('author@example.kz')
}

/** The old evidence proves the original, and nothing else; somebody else signs it now, and answers what was sent. */
async function signsOld(author: Client, head: Client, { authorities }: TestHost): Promise<void> {
  const { documents } = await author.listDocuments({ query: { searchQuery: 'Car' } })
  const [{ documentId: id } = { documentId: '' }] = documents
  const original = Buffer.from(CAR)
  await author.verifyDocument({ id, upload: original })
  const refusal = await author.verifyDocument({ id, upload: Buffer.from('A cat is sold') }).catch((error) => error)
  expect(isProblem(refusal, 'signatureDoesNotCorrespond')).to.equal(true)
  await author.addSignature({ id, request: { signature: signed(authorities, 'person-2', original) } })
  await author.verifyDocument({ id, upload: original })
  const [item] = (await head.listIncoming()).items
  await head.commentIncoming({ incomingId: item?.incomingId ?? '', request: { comment: 'After the upgrade' } })
}

async function registersNew(author: Client, head: Client, { authorities }: TestHost): Promise<void> {
  const original = Buffer.from('Signed after the upgrade')
  const request = { title: 'New.txt', signature: signed(authorities, 'person-1', original) }
  const { documentId: id } = await author.registerDocument({ request })
  await author.fixDigests({ id, upload: original })
  await author.verifyDocument({ id, upload: original })
  await author.sendDocument({ id, request: { to: ORGANIZATION, comment: 'Please read' } })
  expect((await head.listIncoming()).items[0]).to.include({ documentId: id })
  expect((await author.listDocuments({ query: { searchQuery: 'New' } })).documents[0]).to.include({ title: 'New.txt' })
}

const signed = (authorities: TestHost['authorities'], name: 'person-1' | 'person-2', bytes: Uint8Array): string =>
  authorities.named(name).signCms(bytes).toString('base64')
