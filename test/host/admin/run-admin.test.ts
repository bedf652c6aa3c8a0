import { spawnSync } from 'node:child_process'
import { openAdministration } from '@signed-registry/core'
import { expect } from 'chai'
import { runAdmin } from '../../../host/dist/admin/run-admin.js'
import { forEachDatabase, openSqlite } from '../../support/databases.js'

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
        expect(changed).to.deep.equal({ owner: IIN, dataArchiveQuota: bytes, dataArchiveUsage: 0 })
      }
      const { out } = await admin(database, 'quota', IIN, '1MiB', '--expires', '2099-01-31T18:30:00Z')
      expect(out).to.equal(`${IIN}\n  archive       0 of 1048576 bytes, until 2099-01-31T18:30:00Z\n`)
      const [back] = await json('quota', IIN, 'default')
      expect(back.dataArchiveQuota).to.equal(100 * 1024 * 1024)
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

  const wrong: [args: string[], says: string][] = [
    [[], 'Usage: signed-registry admin'],
    [['remove', BIN], 'There is no command remove'],
    [['list', 'documents'], 'organizations, users; not documents'],
    [['list', '--name', 'free'], '--name is no option of this command'],
    [['list', '--verbose'], '--verbose'],
    [['show'], 'BIN or IIN and 12 digits'],
    [['show', '123456789021'], 'not 123456789021'],
    [['show', BIN, BIN], `${BIN} is too much`],
    [['subscription', IIN, '--name', 'free'], 'BIN and 12 digits'],
    [['subscription', BIN], 'Nothing to change'],
    [['subscription', BIN, '--name', 'gold'], 'free, basic, standard, premium; not gold'],
    [['subscription', BIN, '--enable', 'flying'], 'not flying'],
    [['subscription', BIN, '--contact', 'a'], 'e-mail address or none, not a'],
    [['subscription', BIN, '--expires', 'tomorrow'], 'not tomorrow'],
    [['subscription', BIN, '--expires', '2027-02-30'], 'not 2027-02-30'],
    [['subscription', BIN, '--expires', '31.01.2027'], 'not 31.01.2027'],
    [['quota', BIN], 'a size such as'],
    [['quota', BIN, '1GB'], 'not 1GB'],
    [['quota', BIN, '-1'], '-1'],
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
    expect(err).to.include('There is no database at /nowhere/registry.sqlite')
  })

  it('is a command of the host', async () => {
    const database = await create(await openSqlite())
    const main = new URL('../../../host/dist/main.js', import.meta.url).pathname
    const env = { PATH: process.env.PATH, DATABASE_URL: database }
    const { status, stdout } = spawnSync(process.execPath, [main, 'admin', 'show', BIN], { env, encoding: 'utf8' })
    expect(status).to.equal(0)
    expect(stdout).to.include('  subscription  free, without expiry\n')
  })
})
