import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { publicEntry } from '#verifier/log/public-entry.js'
import { LogServer } from '../../../support/log/log-server.js'
import { MemoryLog } from '../../../support/log/memory-log.js'
import { auditJson } from '../../../support/log/run-audit.js'

describe('signed-registry audit-log of an address with another log than before', () => {
  let folder: string
  let server: LogServer
  before(async () => {
    server = await LogServer.start()
  })
  after(() => server.stop())
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const earlier = (size = 150) => new MemoryLog('log.example/one').grow(size)
  /** A log whose first entry names the earlier one as it was at this size. */
  const following = (size: number, of = earlier(size), origin = 'log.example/two') =>
    new MemoryLog(origin).add(publicEntry({ kind: 'succession', origin: of.origin, size, root: of.root })).grow(5, 7)
  const audit = (log: MemoryLog, file: string, path = '') => {
    server.serve((asked) => log.served()(asked.slice(path.length)))
    return auditJson([`${server.url}${path}`, '--key', log.key, '--state', join(folder, file)])
  }
  const originIn = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')).origin

  for (const [where, file] of [
    ['the same state', 'state.json'],
    ['another state in its folder', 'another.json'],
  ] as const)
    describe(`with ${where}`, () => {
      beforeEach(() => audit(earlier(), 'state.json'))

      it('finds that the other log follows nothing, again and again', async () => {
        const other = new MemoryLog('log.example/two').grow(5, 7)
        for (let n = 0; n < 2; n += 1) {
          const { code, wrong, findings, entries } = await audit(other, file)
          expect([code, wrong]).to.deep.equal([1, ['otherLog']])
          expect(findings.at(-1)?.text).to.match(/^OTHER LOG: this address served log\.example\/one until now/)
          expect(entries).to.include({ readTo: 5 })
        }
        expect(originIn('state.json')).to.equal('log.example/one')
        expect(await audit(new MemoryLog('log.example/two').grow(9, 8), file)).to.deep.include({
          wrong: ['fork', 'otherLog'],
        })
      })

      it('finds entries that the other log gave up, again and again', async () => {
        for (let n = 0; n < 2; n += 1) {
          const { code, wrong, findings } = await audit(following(100), file)
          expect([code, wrong]).to.deep.equal([1, ['successionLoses']])
          expect(findings.at(-1)?.facts).to.deep.equal({ lost: 50 })
        }
        expect(originIn('state.json')).to.equal('log.example/one')
      })

      it('finds that the other log follows another tree', async () => {
        const forked = following(150, new MemoryLog('log.example/one').grow(150, 7))
        expect(await audit(forked, file)).to.deep.include({ code: 1, wrong: ['successionForks'] })
      })

      it('goes on with a log that follows all that was kept', async () => {
        const next = following(150)
        const { code, findings, wrong } = await audit(next, file)
        expect([code, wrong]).to.deep.equal([0, []])
        expect(findings.at(-1)).to.include({ code: 'succession', weight: 'notice' })
        expect(originIn('state.json')).to.equal('log.example/one')
        expect(originIn(file === 'state.json' ? 'audit-log.example-two.json' : file)).to.equal('log.example/two')
        expect(readdirSync(folder)).to.have.length(2)
        next.grow(5)
        const again = await audit(next, file)
        expect(again).to.deep.include({ code: 0, continues: { size: 6 }, found: ['policyMissing'] })
      })
    })

  it('follows logs of which each follows the one before', async () => {
    const [one, two] = [earlier(), following(150)]
    const three = following(two.entries.length, two, 'log.example/three')
    await audit(one, 'one.json')
    expect((await audit(three, 'three.json')).wrong).to.deep.equal(['otherLog'])
    await audit(two, 'two.json')
    expect((await audit(three, 'three.json')).wrong).to.deep.equal([])
  })

  it('lets an ended log be audited at its own address, and not in place of the one that follows it', async () => {
    const [one, two] = [earlier(), following(150)]
    await audit(two, 'two.json', '/log/two')
    expect((await audit(one, 'one.json', '/log/one')).wrong).to.deep.equal([])
    expect((await audit(one, 'one.json', '/log/two')).wrong).to.deep.equal(['otherLog'])
  })

  for (const file of ['state.json', './state.json', 'state'])
    it(`does not forget what ${file} keeps for another log`, async () => {
      const named = `${folder}/${file}`
      const auditAs = (log: MemoryLog) => {
        server.serve(log.served())
        return auditJson([server.url, '--key', log.key, '--state', named])
      }
      await auditAs(earlier())
      for (let n = 0; n < 2; n += 1)
        expect((await auditAs(new MemoryLog('log.example/two').grow(5, 7))).wrong).to.deep.equal(['otherLog'])
      expect(originIn(file)).to.equal('log.example/one')
    })

  describe('that says it follows more of the earlier one than was kept', () => {
    beforeEach(() => audit(earlier(), 'state.json', '/log/one'))

    it('does not believe it, and keeps what was kept', async () => {
      const claiming = following(151, new MemoryLog('log.example/one').grow(151, 9))
      for (let n = 0; n < 2; n += 1) {
        const { code, wrong, unread, findings } = await audit(claiming, 'state.json', '/log/two')
        expect([code, wrong, unread]).to.deep.equal([3, [], ['successionUnproved']])
        expect(findings.at(-1)?.text).to.include('has its signed checkpoint of 150: nothing proves that')
        expect(findings.at(-1)?.text).to.include(`at its own address and with --state ${join(folder, 'state.json')}`)
      }
      const other = await audit(new MemoryLog('log.example/one').grow(200, 9), 'state.json', '/log/one')
      expect(other).to.deep.include({ code: 1, wrong: ['fork'] })
    })

    it('believes it when the earlier one was audited up to there', async () => {
      const next = following(200)
      expect(await audit(next, 'state.json', '/log/two')).to.deep.include({ code: 3, unread: ['successionUnproved'] })
      expect(await audit(earlier(180), 'state.json', '/log/one')).to.deep.include({ code: 0, unread: [] })
      expect(await audit(next, 'state.json', '/log/two')).to.deep.include({ code: 3, unread: ['successionUnproved'] })
      expect(await audit(earlier(200), 'state.json', '/log/one')).to.deep.include({ code: 0, unread: [] })
      expect(await audit(next, 'state.json', '/log/two')).to.deep.include({ code: 0, unread: [], wrong: [] })
    })

    it('finds that the earlier one was another there', async () => {
      const claiming = following(200, new MemoryLog('log.example/one').grow(150).grow(50, 9))
      expect(await audit(claiming, 'state.json', '/log/two')).to.deep.include({ unread: ['successionUnproved'] })
      expect(await audit(earlier(200), 'state.json', '/log/one')).to.deep.include({ code: 0 })
      expect(await audit(claiming, 'state.json', '/log/two')).to.deep.include({ code: 1, wrong: ['successionForks'] })
    })

    it('still says so after another log has followed', async () => {
      const two = following(200)
      const three = following(two.entries.length, two, 'log.example/three')
      await audit(two, 'two.json', '/log/two')
      const { unread, findings } = await audit(three, 'three.json', '/log/three')
      expect(unread).to.deep.equal(['successionUnproved'])
      const finding = findings.find(({ code }) => code === 'successionUnproved')
      expect(finding?.text).to.include('log.example/two says that it follows log.example/one at 200 entries')
      expect(finding).to.not.have.property('index')
      await audit(earlier(200), 'state.json', '/log/one')
      expect(await audit(three, 'three.json', '/log/three')).to.deep.include({ code: 0, unread: [], wrong: [] })
    })
  })

  it('does not mind logs of other addresses', async () => {
    await audit(earlier(), 'one.json', '/a')
    expect(await audit(new MemoryLog('log.example/two').grow(5, 7), 'two.json', '/b')).to.deep.include({ code: 0 })
  })

  it('minds one of another address that is to be kept in the file of the earlier one', async () => {
    await audit(earlier(), 'one.json', '/a')
    const found = await audit(new MemoryLog('log.example/two').grow(5, 7), 'one.json', '/b')
    expect(found).to.deep.include({ code: 1, wrong: ['otherLog'] })
  })

  it('keeps no log in the file of another one whose name makes the same name of a file', async () => {
    await audit(earlier(), 'audit-log.example-one.json')
    const refused = (log: MemoryLog) => audit(log, 'audit-log.example-one.json').catch((reason: unknown) => reason)
    const error = await refused(new MemoryLog('log.example-one').grow(1))
    expect(error).to.include({ name: 'UsageError' })
    expect(String(error)).to.include('is about the log log.example/one, and this one is log.example-one')
    expect(String(await refused(new MemoryLog('log.example\u009bone').grow(1)))).to.include('is log.example\ufffdone:')
    expect(originIn('audit-log.example-one.json')).to.equal('log.example/one')
  })

  describe('cannot be made to forget what it kept', () => {
    const naming = (log: MemoryLog, origin: string) =>
      log.add(publicEntry({ kind: 'succession', origin, size: 1, root: log.root }))

    it('by successions without end', async () => {
      const log = new MemoryLog('log.example/one')
      for (let n = 0; n < 64; n += 1) naming(log, `log.example/x${n}`)
      expect(await audit(log, 'state.json')).to.deep.include({ code: 0, wrong: [] })
      naming(log, 'log.example/y')
      expect((await audit(log, 'state.json')).wrong).to.deep.equal(['tooManySuccessions'])
    })

    it('by names that are too long to keep', async () => {
      const log = new MemoryLog('log.example/one')
      for (let n = 0; n < 70; n += 1) naming(log, `${n}`.padEnd(65_000, 'x'))
      const { wrong, findings } = await audit(log, 'state.json')
      expect(wrong).to.deep.equal(Array.from({ length: 70 }, () => 'nameTooLong'))
      for (const { text } of findings) expect(text.length).to.be.lessThan(500)
      const other = new MemoryLog('log.example/two').grow(5, 7)
      expect((await audit(other, 'state.json')).wrong).to.deep.equal(['otherLog'])
    })

    it('by a name of its own that is too long to keep', async () => {
      const log = new MemoryLog('x'.repeat(1001)).grow(1)
      const { code, unread } = await audit(log, 'state.json')
      expect([code, unread]).to.deep.equal([3, ['unreadable']])
      expect(await audit(new MemoryLog('x'.repeat(1000)).grow(1), 'state.json')).to.deep.include({ code: 0 })
    })

    it('by a file that it is kept in and that cannot be read any more', async () => {
      await audit(earlier(), 'state.json')
      const file = join(folder, 'state.json')
      const kept = readFileSync(file, 'utf8')
      const other = new MemoryLog('log.example/two').grow(5, 7)
      writeFileSync(file, kept.slice(1))
      expect(String(await audit(other, 'state.json').catch((error: unknown) => error))).to.include(
        'no state of an audit',
      )
      writeFileSync(file, kept.padEnd(5 * 1024 * 1024))
      expect((await audit(other, 'state.json')).wrong).to.deep.equal(['otherLog'])
    })
  })

  it('says what the earlier log held above that is gone', async () => {
    const { findings } = await audit(following(200), 'state.json')
    expect(findings.at(-1)).to.include({ code: 'succession', weight: 'notice' })
    expect(findings.at(-1)?.text).to.match(/^what log\.example\/one signed from entry 200 on is not in/)
  })

  describe('of a registry', () => {
    it('finds that the registry names another log', async () => {
      let log = earlier()
      server.serve((path) => {
        const address = `/log/${log.origin.slice(-3)}`
        if (path === '/api/log')
          return { body: JSON.stringify({ address: server.url + address, verifierKey: log.key, origin: log.origin }) }
        return path.startsWith(address) ? log.served()(path.slice(address.length)) : undefined
      })
      const auditAs = (file: string, url = server.url) => auditJson([url, '--state', join(folder, file)])
      expect((await auditAs('one.json')).code).to.equal(0)
      log = new MemoryLog('log.example/two', [5]).grow(20, 3)
      expect((await auditAs('two.json')).wrong).to.deep.equal(['otherLog'])
      expect((await auditAs('two.json', `${server.url}/log/two`)).wrong).to.deep.equal(['otherLog'])
    })
  })
})
