import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FolderStore } from '@signed-registry/archive-fs'
import { Deliveries, openAdministration, systemClock } from '@signed-registry/core'
import { expect } from 'chai'
import { AuditSeals } from '#core/audit/index.js'
import { Database } from '#core/database/database.js'
import { KeptLedger } from '#core/ledger/kept-ledger.js'
import { runAdmin } from '#host/cli/admin/run-admin.js'
import { registryWithoutAuthorities } from '../../../support/core-registry.js'
import { forEachDatabase, openSqlite } from '../../../support/databases.js'
import { something, TestChannel } from '../../../support/deliveries.js'
import { chunksOf } from '../../../support/objects.js'
import { runProgramSync } from '../../../support/run-program.js'

const BIN = 'BIN123456789021'
const IIN = 'IIN123456789011'

/** Runs a command line and gives its exit code and what it wrote. */
async function admin(database: string, ...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runAdmin(args, {
    env: { DATABASE_URL: database },
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  })
  return { code, out: out.join(''), err: err.join('') }
}

const create = async (database: string) => {
  await (await openAdministration({ database })).close()
  return database
}

describe('signed-registry admin', () => {
  forEachDatabase((open) => {
    let database: string
    const json = async (...args: string[]) => {
      const { code, out, err } = await admin(database, ...args, '--json')
      expect(code, err).to.equal(0)
      return out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    }
    beforeEach(async () => {
      database = await create(await open())
    })

    it('changes a subscription', async () => {
      const [changed] = await json(
        ...['subscription', BIN, '--name', 'basic', '--expires', '2099-01-31', '--contact', 'a@b.kz'],
        ...['--disable', 'webhooks', '--disable', 'documentsArchive'],
      )
      expect(changed.owner).to.equal(BIN)
      expect(changed.subscription).to.include({
        name: 'basic',
        expires: Date.UTC(2099, 0, 31),
        contactEmail: 'a@b.kz',
      })
      await json('subscription', BIN, '--expires', 'never', '--contact', 'none', '--enable', 'webhooks')
      const { code, out } = await admin(database, 'show', BIN)
      expect(code).to.equal(0)
      expect(out).to.equal(
        [
          BIN,
          '  archive       0 of 104857600 bytes',
          '  subscription  basic, without expiry',
          '  contact       none',
          '  features      all on but documentsArchive',
          '',
        ].join('\n'),
      )
    })

    it('changes what may be archived', async () => {
      for (const [size, bytes] of [
        ['0', 0],
        ['1000', 1000],
        ['3KiB', 3072],
        ['2GiB', 2 ** 31],
        ['4TiB', 2 ** 42],
      ] as const) {
        const [changed] = await json('quota', IIN, size)
        expect(changed).to.deep.equal({ owner: IIN, isKnown: true, dataArchiveQuota: bytes, dataArchiveUsage: 0 })
      }
      const { out } = await admin(database, 'quota', IIN, '1MiB', '--expires', '2099-01-31T18:30:00Z')
      expect(out).to.equal(`${IIN}\n  archive       0 of 1048576 bytes, until 2099-01-31T18:30:00Z\n`)
      const [more] = await json('quota', IIN, '+2MiB')
      const until = Date.UTC(2099, 0, 31, 18, 30)
      expect(more).to.include({ dataArchiveQuota: 3 * 2 ** 20, dataArchiveQuotaExpires: until })
      expect((await json('quota', IIN, '+1', '--expires', 'never'))[0]).to.not.have.property('dataArchiveQuotaExpires')
      const [back] = await json('quota', IIN, 'default')
      expect(back.dataArchiveQuota).to.equal(100 * 1024 * 1024)
    })

    it('lists deliveries and sends them again', async () => {
      const registry = await registryWithoutAuthorities(database, {}, [new TestChannel([]).plugin])
      const deliveries = registry.get(Deliveries)
      const owners = ['one', 'two', 'three']
      const ids = await registry
        .get(Database)
        .transaction(() => deliveries.add(owners.map((owner) => something({ owner, payload: { secret: true } }))))
      const fail = () =>
        registry.get(Database).query('registry_deliveries').update({ state: 'failed', attempts: 8, failures: 8 })
      await fail()
      const listed = await json('deliveries')
      expect(listed.map(({ id }) => id)).to.have.members(ids)
      expect(listed[0]).to.include({ channel: 'test', state: 'failed' }).and.not.to.have.property('payload')
      expect(await json('deliveries', 'waiting')).to.deep.equal([])
      expect(await json('deliveries', '--channel', 'webhook')).to.deep.equal([])
      expect((await json('deliveries', '--owner', 'two')).map(({ id }) => id)).to.deep.equal([ids[1]])

      expect(await json('deliveries', 'retry', '--owner', 'two')).to.deep.equal([{ retried: 1 }])
      expect(await json('deliveries', 'waiting')).to.have.length(1)
      expect(await json('deliveries', 'retry', '--since', '2999-01-01')).to.deep.equal([{ retried: 0 }])
      expect(await json('deliveries', 'retry')).to.deep.equal([{ retried: 2 }])
      const [first = ''] = ids
      await fail()
      expect(await json('deliveries', 'retry', first)).to.deep.equal([{ retried: 1 }])
      expect((await deliveries.get(first))?.failures).to.equal(0)
      const unknown = await admin(database, 'deliveries', 'retry', first, 'nobody')
      expect([unknown.code, unknown.err]).to.deep.equal([1, '1 of them are unknown or under way just now\n'])
      await registry.close()
    })

    it('lists organizations and users', async () => {
      await json('quota', IIN, '1')
      await json('quota', BIN, '2')
      await json('subscription', 'BIN123456789022', '--name', 'premium')
      const owners = async (...args: string[]) => (await json(...args)).map(({ owner }) => owner)
      expect(await owners('list')).to.deep.equal([BIN, 'BIN123456789022'])
      expect(await owners('list', 'organizations')).to.deep.equal([BIN, 'BIN123456789022'])
      expect(await owners('list', 'users')).to.deep.equal([IIN])
      expect((await admin(database, 'list')).out).to.include('premium, without expiry')
    })
  })

  it('records in the audit what was changed, and by whom', async () => {
    const database = await create(await openSqlite())
    await admin(database, 'subscription', BIN, '--name', 'basic')
    await admin(database, 'quota', BIN, '5')
    const { code, out } = await admin(database, 'changes', BIN)
    expect(code).to.equal(0)
    const [subscription, quota] = out.split('\n').map((line) => line && JSON.parse(line))
    const administrator = userInfo().username
    expect(subscription).to.deep.include({ administrator })
    expect([subscription.original.name, subscription.modified.name]).to.deep.equal(['free', 'basic'])
    expect(quota).to.deep.include({ administrator, original: {}, modified: { quota: 5 } })
  })

  it('checks the audit, and fails when its chain does not contain the saved hash', async () => {
    const database = await create(await openSqlite())
    await admin(database, 'quota', BIN, '5')
    const checked = await admin(database, 'check-audit')
    expect(checked.code).to.equal(0)
    const { head, ...rest } = JSON.parse(checked.out)
    expect(rest).to.deep.equal({ sealed: 0, unsealed: 1 })
    expect((await admin(database, 'check-audit', head)).code).to.equal(0)
    const other = await admin(database, 'check-audit', 'f'.repeat(64))
    expect(other.code).to.equal(1)
    expect(other.err).to.include('The audit was rewritten')
  })

  it('fails when an audit event was changed', async () => {
    const database = await create(await openSqlite())
    const administration = await openAdministration({ database, clock: { now: () => Date.now() - 60 * 60_000 } })
    await administration.setArchiveQuota(BIN, { bytes: 5, expires: undefined })
    await administration.close()
    const registry = await registryWithoutAuthorities(database, { clock: systemClock })
    await registry.get(AuditSeals).run()
    expect((await admin(database, 'check-audit')).out).to.include('"sealed":1')
    await registry.get(Database).query('registry_audit_events').update({ administrator: 'nobody' })
    await registry.close()
    const { code, err } = await admin(database, 'check-audit')
    expect(code).to.equal(1)
    expect(err).to.include('changed after event 0, by event 1 at the latest')
  })

  it('shows the largest users, and where a share differs from what is stored', async () => {
    const database = await create(await openSqlite())
    const registry = await registryWithoutAuthorities(database)
    const ledger = registry.get(KeptLedger)
    await ledger.take('temporaryStorage', IIN, 100)
    await ledger.take('procedureBytes', 'at 198.51.100.1', 70)
    await registry.close()
    const linesOf = (out: string) =>
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    const { code, out } = await admin(database, 'shares')
    expect(code).to.equal(0)
    const [temporaryStorage, procedureBytes] = ['temporaryStorage', 'procedureBytes']
    expect(linesOf(out)).to.have.deep.members([
      { resource: temporaryStorage, owner: IIN, used: 100 },
      { resource: temporaryStorage, owner: 'whole', used: 100 },
      { resource: procedureBytes, owner: 'at 198.51.100.1', used: 70 },
      { resource: procedureBytes, owner: 'strangers', used: 70 },
      { resource: procedureBytes, owner: 'whole', used: 70 },
    ])
    const checked = await admin(database, 'check-archive')
    expect(checked.code).to.equal(1)
    const shares = linesOf(checked.out).filter(({ kind }) => kind === 'share')
    expect(shares.map(({ owner, counted, kept }) => [owner, counted, kept])).to.have.deep.members([
      [IIN, 100, 0],
      ['whole', 100, 0],
    ])
  })

  const wrong: [args: string[], says: string][] = [
    [[], 'Usage: signed-registry admin'],
    [['remove', BIN], 'There is no command remove'],
    [['list', 'documents'], 'organizations, users; not documents'],
    [['list', '--name', 'free'], 'has no option --name'],
    [['list', '--verbose'], '--verbose'],
    [['show'], 'BIN or IIN and 12 digits'],
    [['show', '123456789021'], 'not 123456789021'],
    [['show', BIN, BIN], `Unexpected argument: ${BIN}`],
    [['subscription', IIN, '--name', 'free'], 'BIN and 12 digits'],
    [['subscription', BIN], 'Nothing to change'],
    [['subscription', BIN, '--name', 'gold'], 'free, basic, standard, premium; not gold'],
    [['subscription', BIN, '--enable', 'flying'], 'not flying'],
    [['subscription', BIN, '--contact', 'a'], 'e-mail address or none, not a'],
    [['subscription', BIN, '--expires', 'tomorrow'], 'not tomorrow'],
    [['subscription', BIN, '--expires', '2027-02-30'], 'not 2027-02-30'],
    [['subscription', BIN, '--expires', '31.01.2027'], 'not 31.01.2027'],
    [['shares', BIN], `Unexpected argument: ${BIN}`],
    [['changes'], 'BIN or IIN and 12 digits'],
    [['check-audit', 'x'], 'x is not a hash'],
    [['deliveries', 'lost'], 'failed, waiting, sending, delivered; not lost'],
    [['deliveries', '--since', '2027-01-01'], 'has no option --since'],
    [['deliveries', 'retry', 'a', '--owner', BIN], 'has no option --owner'],
    [['quota', BIN], 'a size such as'],
    [['quota', BIN, '1GB'], 'not 1GB'],
    [['quota', BIN, '-1'], '-1'],
    [['quota', BIN, '+default'], 'a size'],
    [['quota', BIN, '999999999TiB'], 'not 999999999TiB'],
  ]
  for (const [args, says] of wrong) {
    it(`does not understand ${JSON.stringify(args.join(' '))}, and says why`, async () => {
      const { code, out, err } = await admin(await create(await openSqlite()), ...args)
      expect({ code, out }).to.deep.equal({ code: 2, out: '' })
      expect(err).to.include(says)
    })
  }

  it('explains itself', async () => {
    const { code, out } = await admin('sqlite:/nowhere', '--help')
    expect(code).to.equal(0)
    expect(out).to.include('subscription <BIN>').and.to.include('quota <BIN|IIN>')
  })

  it('makes no new database where there is none', async () => {
    const { code, err } = await admin('sqlite:/nowhere/registry.sqlite', 'list')
    expect(code).to.equal(1)
    expect(err).to.include('there is no database at /nowhere/registry.sqlite')
  })

  it('is a command of the host', async () => {
    const database = await create(await openSqlite())
    const main = fileURLToPath(import.meta.resolve('#host/main.js'))
    const env = { PATH: process.env.PATH, DATABASE_URL: database }
    const { status, stdout } = runProgramSync(process.execPath, [main, 'admin', 'show', BIN], { env })
    expect(status).to.equal(0)
    expect(stdout.toString()).to.include('  subscription  free, without expiry\n')

    it('compares the archive with the database', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'registry-archive-'))
      const env = { DATABASE_URL: database, ARCHIVE_DIR: folder }
      const check = async (...args: string[]) => {
        const out: string[] = []
        const code = await runAdmin(['check-archive', ...args], {
          env,
          out: (text) => out.push(text),
          err: () => undefined,
        })
        return { code, findings: out.map((line) => JSON.parse(line)) }
      }
      try {
        const stray = 'a'.repeat(32)
        await new FolderStore(folder).put(stray, chunksOf(Buffer.from('stray')), 5)
        const { code, findings } = await check()
        expect(code).to.equal(1)
        expect(findings.map(({ kind }) => kind)).to.deep.equal(['progress', 'unknown'])
        expect(findings[1]).to.include({ key: stray, size: 5 }).and.to.have.property('advice')
        expect((await check('--delete-unknown')).findings[1]).to.include({ deleted: true })
        expect(await check()).to.deep.equal({ code: 0, findings: [{ kind: 'progress', objects: 0, bytes: 0 }] })
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  })
})
