import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import fc from 'fast-check'
import { publicEntry } from '#verifier/log/public-entry.js'
import { type AnswerPath, LogServer } from '../../../support/log/log-server.js'
import { MemoryLog } from '../../../support/log/memory-log.js'
import { logKeyOf } from '../../../support/log/note-keys.js'
import { auditJson, auditText } from '../../../support/log/run-audit.js'

describe('signed-registry audit-log follows a log', () => {
  let folder: string
  let server: LogServer
  let state: string
  before(async () => {
    server = await LogServer.start()
  })
  after(() => server.stop())
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'))
    state = join(folder, 'state.json')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const audit = (log: MemoryLog, served: AnswerPath = log.served(), ...more: string[]) => {
    server.serve(served)
    return auditJson([server.url, '--key', log.key, '--state', state, ...more])
  }
  const kept = () => JSON.parse(readFileSync(state, 'utf8'))
  const evidence = () => readdirSync(folder).filter((name) => name.startsWith('fork-'))
  /** Serves a log with other answers at some paths. */
  const but =
    (log: MemoryLog, changed: AnswerPath): AnswerPath =>
    async (path) =>
      (await changed(path)) ?? log.served()(path)

  it('proves each new entry to be in the tree of the signed checkpoint, and that the tree only grows', async () => {
    const log = new MemoryLog().grow(700)
    const first = await audit(log)
    expect(first).to.deep.include({ code: 0, outcome: 'proved', found: ['firstSight', 'policyMissing'] })
    expect(first.entries).to.deep.equal({ proved: 700, readTo: 700 })
    log.grow(600)
    const second = await audit(log)
    expect(second).to.deep.include({ code: 0, found: ['policyMissing'], continues: { size: 700 } })
    expect(second.entries).to.deep.equal({ proved: 600, readTo: 1300 })
    expect(kept()).to.deep.include({ origin: log.origin, note: log.note(), readTo: 1300 })
  })

  it('proves a log without entries, and one that has not grown', async () => {
    const log = new MemoryLog()
    expect((await audit(log)).entries).to.deep.equal({ proved: 0, readTo: 0 })
    log.grow(256)
    expect((await audit(log)).entries).to.deep.equal({ proved: 256, readTo: 256 })
    expect(await audit(log)).to.deep.include({ code: 0, entries: { proved: 0, readTo: 256 } })
  })

  describe('while another audit goes further', () => {
    /** Serves a log, and does something once when this path is asked. */
    const meanwhile = (served: AnswerPath, at: RegExp, does: () => Promise<unknown>): AnswerPath => {
      let isDone = false
      return async (path) => {
        if (at.test(path) && !isDone) {
          isDone = true
          await does()
        }
        return served(path)
      }
    }

    it('leaves what that one kept', async () => {
      const log = new MemoryLog().grow(150)
      const early = log.served(log.note())
      const first = await audit(
        log,
        meanwhile(early, /^\/tile\/entries/, async () => {
          log.grow(100)
          expect(await audit(log)).to.deep.include({ code: 0, continues: { size: 150 } })
        }),
      )
      expect(first).to.deep.include({ code: 0, found: ['firstSight', 'policyMissing', 'keptMeanwhile'] })
      expect(kept()).to.deep.include({ note: log.note(), readTo: 250 })
    })

    it('calls nothing rolled back that the other one saw later', async () => {
      const log = new MemoryLog().grow(100)
      await audit(log)
      const early = log.grow(50).served(log.note())
      const first = await audit(
        log,
        meanwhile(early, /^\/tile/, async () => {
          log.grow(100)
          expect(await audit(log)).to.deep.include({ code: 0 })
          server.serve(log.served())
        }),
      )
      expect(first).to.deep.include({ code: 0, wrong: [], unread: [] })
      expect(first.found).to.include('keptMeanwhile')
      expect(kept()).to.deep.include({ note: log.note(), readTo: 250 })
    })

    it('finds that they saw two trees', async () => {
      const log = new MemoryLog().grow(100)
      await audit(log)
      const other = new MemoryLog().grow(100).grow(100, 7)
      log.grow(50)
      const first = await audit(
        log,
        meanwhile(log.served(log.note()), /^\/tile/, async () => {
          expect(await audit(other)).to.deep.include({ code: 0 })
          server.serve(log.served())
        }),
      )
      expect(first.wrong).to.deep.equal(['rolledBackUnproved'])
      expect(readFileSync(join(folder, evidence()[0] ?? ''), 'utf8'))
        .to.include(log.note())
        .and.include(other.note())
      expect(kept().note).to.equal(other.note())
    })
  })

  it('reads what is compressed, and full tiles where partial ones are not kept', async () => {
    const log = new MemoryLog().grow(300)
    const then = log.note()
    log.grow(300)
    const compressed: AnswerPath = async (path) => {
      if (path.endsWith('.p/44')) return undefined
      const answer = await log.served(then)(path)
      if (answer === undefined || answer === 'hangs') return answer
      return { body: gzipSync(answer.body), headers: { 'content-encoding': 'gzip' } }
    }
    expect((await audit(log, compressed)).entries).to.deep.equal({ proved: 300, readTo: 300 })
    expect(server.received.at(-1)?.headers['accept-encoding']).to.equal('gzip, identity')
  })

  it('has at most eight requests under way', async () => {
    const log = new MemoryLog().grow(256 * 30)
    let [now, most] = [0, 0]
    const counting: AnswerPath = async (path) => {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
      return log.served()(path)
    }
    expect(await audit(log, counting)).to.deep.include({ code: 0 })
    expect(most).to.be.within(2, 8)
  })

  it('prints the entries that everybody can read, each once', async () => {
    const log = new MemoryLog().grow(2)
    const key = logKeyOf('registry.example', 9)
    log.add(publicEntry({ kind: 'statementKey', verifierKey: key }))
    log.add(publicEntry({ kind: 'forgotten', origin: log.origin, index: 1, entryKind: 'digests', reason: 'retention' }))
    const { publicEntries } = await audit(log)
    expect(publicEntries).to.deep.equal([
      { index: 2, entry: { kind: 'statementKey', verifierKey: key } },
      {
        index: 3,
        entry: { kind: 'forgotten', origin: log.origin, index: 1, entryKind: 'digests', reason: 'retention' },
      },
    ])
    log.grow(1)
    expect((await audit(log)).publicEntries).to.deep.equal([])
  })

  it('tells of long texts how they begin', async () => {
    const log = new MemoryLog().grow(2)
    const reason = 'r'.repeat(60_000)
    log.add(publicEntry({ kind: 'forgotten', origin: log.origin, index: 1, entryKind: 'signature', reason }))
    log.add(
      publicEntry({ kind: 'forgotten', origin: 'o'.repeat(60_000), index: 1, entryKind: 'settings', reason: 'r' }),
    )
    const { publicEntries } = await audit(log)
    const begins = (text: string) => `${text.slice(0, 300)}…`
    expect(publicEntries.map(({ entry }) => entry)).to.deep.equal([
      { kind: 'forgotten', origin: log.origin, index: 1, entryKind: 'signature', reason: begins(reason) },
      { kind: 'forgotten', origin: begins('o'.repeat(400)), index: 1, entryKind: 'settings', reason: 'r' },
    ])
    rmSync(state)
    const { out } = await auditText([server.url, '--key', log.key, '--state', state])
    expect(out).to.include(`#2 forgotten: entry 1, signature (${begins(reason)})`)
    expect(out.length).to.be.lessThan(4000)
  })

  it('finds an entry that says that a registered signature was forgotten', async () => {
    const log = new MemoryLog().grow(2)
    const forgotten = { kind: 'forgotten', origin: log.origin, index: 1, reason: 'incompleteRetention' } as const
    log.add(publicEntry({ ...forgotten, entryKind: 'signature' }))
    const { code, wrong, findings } = await audit(log)
    expect([code, wrong]).to.deep.equal([1, ['neverForgotten']])
    const text = 'entry 2 says that entry 1, of the kind signature, was forgotten, which no registry forgets'
    expect(findings.at(-1)?.text).to.include(text)
  })

  it('says that an entry is of a kind that it does not know', async () => {
    const log = new MemoryLog().add(Buffer.from('something else'))
    expect(await audit(log)).to.deep.include({ code: 0, found: ['firstSight', 'policyMissing', 'entryUnknown'] })
  })

  it('cannot be steered by texts of the log', async () => {
    const log = new MemoryLog().add(
      publicEntry({ kind: 'forgotten', origin: 'other', index: 1, entryKind: 'settings', reason: 'a\u202eb\u200b' }),
    )
    server.serve(log.served())
    const { out } = await auditText([server.url, '--key', log.key, '--state', state])
    expect(out)
      .to.include('#0 forgotten: entry 1 of other, settings (a\ufffdb\ufffd)')
      .and.include('Everything is proved.')
  })

  it('proves nothing of which one octet was changed on the way', async () => {
    const log = new MemoryLog().grow(300)
    const paths = ['/tile/0/000', '/tile/0/001.p/44', '/tile/1/000.p/1', '/tile/entries/000', '/tile/entries/001.p/44']
    const changes = fc.record({ path: fc.constantFrom(...paths), at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) })
    await fc.assert(
      fc.asyncProperty(changes, async ({ path: changed, at, by }) => {
        rmSync(state, { force: true })
        const serving = but(log, async (path) => {
          const answer = path === changed ? await log.served()(path) : undefined
          if (answer === undefined || answer === 'hangs') return undefined
          const body = Buffer.from(answer.body)
          body[at % body.length] = (body[at % body.length] ?? 0) ^ by
          return { body }
        })
        const { code, wrong } = await audit(log, serving)
        expect(code).to.equal(1)
        expect(wrong).to.include('entriesUnproved')
      }),
      { numRuns: 60 },
    )
  })

  describe('by a malicious operator, who', () => {
    it('serves a fork of the same size', async () => {
      await audit(new MemoryLog().grow(300))
      const other = new MemoryLog().grow(299).grow(1, 7)
      expect(await audit(other)).to.deep.include({ code: 1, wrong: ['fork'] })
      const text = readFileSync(join(folder, evidence()[0] ?? ''), 'utf8')
      expect(text).to.include(other.note()).and.include(new MemoryLog().grow(300).note())
      expect(kept().note).to.equal(new MemoryLog().grow(300).note())
    })

    it('serves a fork that has grown', async () => {
      const log = new MemoryLog().grow(300)
      await audit(log)
      const other = new MemoryLog().grow(100, 7).grow(500)
      const { code, wrong, findings } = await audit(other)
      expect([code, wrong]).to.deep.equal([1, ['fork']])
      expect(findings.find(({ weight }) => weight === 'wrong')?.text).to.match(
        /^FORK: the checkpoint of 600 entries and the one of 300 entries/,
      )
      const text = readFileSync(join(folder, evidence()[0] ?? ''), 'utf8')
      const rootThen = Buffer.from(new MemoryLog().grow(100, 7).grow(200).root).toString('base64')
      expect(text).to.include(log.note()).and.include(other.note()).and.include(rootThen)
      expect(kept().note).to.equal(log.note())
    })

    it('serves a fork that is smaller', async () => {
      const log = new MemoryLog().grow(300)
      await audit(log)
      const other = new MemoryLog().grow(200, 7)
      const serving = log.served(other.note())
      expect(await audit(other, serving)).to.deep.include({ code: 1, wrong: ['fork'] })
      expect(evidence()).to.have.length(1)
      // Another audit of the same fork has nothing to add.
      const facts = async () => (await audit(other, serving)).findings.find(({ code }) => code === 'fork')?.facts
      expect(await facts()).to.deep.equal({ evidence: join(folder, evidence()[0] ?? '') })
      expect(evidence()).to.have.length(1)
      await audit(other, other.served(new MemoryLog().grow(100, 7).note()))
      expect(evidence()).to.have.length(2)
    })

    it('serves an older checkpoint', async () => {
      const log = new MemoryLog().grow(300)
      const older = log.note()
      log.grow(300)
      await audit(log)
      expect(await audit(log, log.served(older))).to.deep.include({ code: 1, wrong: ['rolledBack'] })
      expect(kept().note).to.equal(log.note())
    })

    it('serves an older checkpoint without the tiles of the newer one', async () => {
      await audit(new MemoryLog().grow(600))
      const older = new MemoryLog().grow(300)
      expect(await audit(older)).to.deep.include({ code: 1, wrong: ['rolledBackUnproved'] })
      expect(evidence()).to.have.length(1)
    })

    it('signs the checkpoint with another key', async () => {
      const log = new MemoryLog('log.example/one', [2]).grow(3)
      server.serve(log.served())
      const other = logKeyOf(log.origin, 1)
      expect(await auditJson([server.url, '--key', other, '--state', state])).to.deep.include({
        code: 1,
        wrong: ['notSigned'],
      })
      expect(readdirSync(folder)).to.deep.equal([])
    })

    it('changes the checkpoint after signing it', async () => {
      const log = new MemoryLog().grow(3)
      const changed = log.note().replace('\n3\n', '\n4\n')
      expect(await audit(log, log.served(changed))).to.deep.include({ code: 1, wrong: ['notSigned'] })
    })

    it('steers the terminal by the name of the log', async () => {
      const log = new MemoryLog().grow(3)
      const { unread, findings } = await audit(
        log,
        log.served(log.note().replace('log.example/one\n', 'a\u001b[2Jb\n')),
      )
      expect(unread).to.deep.equal(['unreadable'])
      expect(JSON.stringify(findings)).to.not.include('[2J')
    })

    const atEntries = (path: string) => path.startsWith('/tile/entries/')
    for (const [does, serving, isUnread = false] of [
      ['serves half a tile', (log: MemoryLog) => cutAt(log, '/tile/0/000', 4096)],
      ['serves a tile that is larger than announced', (log: MemoryLog) => paddedAt(log, '/tile/0/000', 32), true],
      ['serves a wrong tile', (log: MemoryLog) => flippedAt(log, '/tile/0/000')],
      ['serves a wrong tile of the right edge', (log: MemoryLog) => flippedAt(log, '/tile/0/001.p/44')],
      ['serves half a bundle', (log: MemoryLog) => cutAt(log, '/tile/entries/000', 4096)],
      ['serves a bundle with an entry too many', (log: MemoryLog) => paddedAt(log, '/tile/entries/001.p/44', 34)],
      ['serves another entry', (log: MemoryLog) => flippedAt(log, '/tile/entries/000')],
      [
        'keeps entries back',
        (log: MemoryLog) => but(log, (path) => (atEntries(path) ? { status: 404, body: '' } : undefined)),
        true,
      ],
      [
        'answers 10 MB',
        (log: MemoryLog) => but(log, (path) => (path === '/tile/0/000' ? { body: Buffer.alloc(1e7) } : undefined)),
        true,
      ],
      [
        'answers 10 MB that are small on the way',
        (log: MemoryLog) =>
          but(log, (path) =>
            path === '/tile/0/000'
              ? { body: gzipSync(Buffer.alloc(1e7)), headers: { 'content-encoding': 'gzip' } }
              : undefined,
          ),
        true,
      ],
      [
        'sends the reader elsewhere',
        (log: MemoryLog) =>
          but(log, (path) =>
            path === '/tile/0/000' ? { status: 302, headers: { location: '/checkpoint' }, body: '' } : undefined,
          ),
        true,
      ],
    ] as const) {
      it(`${does}: the entries are not proved, and are read again next time`, async () => {
        const log = new MemoryLog().grow(300)
        const { code, wrong, unread } = await audit(log, serving(log))
        expect(code).to.equal(isUnread ? 3 : 1)
        expect(new Set([...wrong, ...unread])).to.deep.equal(new Set(['entriesUnproved']))
        expect(isUnread ? wrong : unread).to.deep.equal([])
        expect(await audit(log)).to.deep.include({ code: 0, wrong: [] })
        expect(kept().readTo).to.equal(300)
      })
    }

    it('serves a wrong tile while the log grows: nothing of it is kept', async () => {
      const log = new MemoryLog().grow(300)
      await audit(log)
      const before = kept()
      log.grow(300)
      expect(await audit(log, flippedAt(log, '/tile/0/001'))).to.deep.include({ code: 1, wrong: ['unproved'] })
      expect(kept()).to.deep.equal(before)
    })

    it('serves a broken log of any length: the reader gives up', async () => {
      const log = new MemoryLog().grow(256 * 40)
      const { wrong, unread } = await audit(
        log,
        but(log, (path) => (atEntries(path) ? { body: '' } : undefined)),
      )
      expect(wrong).to.deep.equal(Array.from({ length: 16 }, () => 'entriesUnproved'))
      expect(unread).to.deep.equal(['givenUp'])
    })

    it('serves a wrong entry, and others not at all: it is wrong', async () => {
      const log = new MemoryLog().grow(600)
      const flipped = flippedAt(log, '/tile/entries/000')
      const serving: AnswerPath = (path) => (path === '/tile/entries/001' ? { status: 503, body: '' } : flipped(path))
      const found = await audit(log, serving)
      expect(found).to.deep.include({
        code: 1,
        outcome: 'wrong',
        wrong: ['entriesUnproved'],
        unread: ['entriesUnproved'],
      })
      expect((await auditText([server.url, '--key', log.key, '--state', state])).out).to.match(
        /\nSomething is wrong: 1\.\nSomething is not proved: 1\.\n$/,
      )
    })

    it('forks, and does not serve entries: it is wrong', async () => {
      await audit(new MemoryLog().grow(300))
      const other = new MemoryLog().grow(300, 7)
      expect(
        await audit(other, (path) => (path === '/checkpoint' ? { body: other.note() } : undefined)),
      ).to.deep.include({
        code: 1,
        wrong: ['fork'],
      })
    })

    it('grows, and does not serve what would prove it', async () => {
      const log = new MemoryLog().grow(300)
      await audit(log)
      log.grow(300)
      const serving: AnswerPath = (path) => (path === '/checkpoint' ? { body: log.note() } : undefined)
      expect(await audit(log, serving)).to.deep.include({ code: 3, wrong: [], unread: ['unproved'] })
    })

    it('never answers', async () => {
      const log = new MemoryLog().grow(300)
      server.serve(() => 'hangs')
      const { code, outcome, unread } = await auditJson([server.url, '--key', log.key, '--state', state], 50)
      expect([code, outcome, unread]).to.deep.equal([3, 'unread', ['unreadable']])
    })

    it('answers 10 MB for a checkpoint', async () => {
      const log = new MemoryLog().grow(3)
      const serving = but(log, (path) => (path === '/checkpoint' ? { body: Buffer.alloc(1e7, 'a') } : undefined))
      expect(await audit(log, serving)).to.deep.include({ code: 3, wrong: [], unread: ['unreadable'] })
    })

    async function changedAt(log: MemoryLog, at: string, path: string, change: (body: Buffer) => Buffer) {
      if (path !== at) return undefined
      const answer = await log.served()(path)
      if (answer === undefined || answer === 'hangs') throw new Error(`${at} is not served`)
      return { body: change(Buffer.from(answer.body)) }
    }
    const cutAt = (log: MemoryLog, at: string, length: number) =>
      but(log, (path) => changedAt(log, at, path, (body) => body.subarray(0, length)))
    const paddedAt = (log: MemoryLog, at: string, length: number) =>
      but(log, (path) => changedAt(log, at, path, (body) => Buffer.concat([body, Buffer.alloc(length)])))
    const flippedAt = (log: MemoryLog, at: string) =>
      but(log, (path) =>
        changedAt(log, at, path, (body) => {
          body[40] = (body[40] ?? 0) ^ 1
          return body
        }),
      )
  })

  describe('whose key changes', () => {
    const announced = (log: MemoryLog, number: number) =>
      log.add(publicEntry({ kind: 'logKey', verifierKey: logKeyOf(log.origin, number) }))

    it('accepts the new key when an entry of the tree that the old one signed announces it', async () => {
      const log = new MemoryLog().grow(3)
      await audit(log)
      const { key } = log
      announced(log, 2)
      log.keys = [1, 2]
      expect(await audit(log)).to.deep.include({ code: 0 })
      expect(kept().keys).to.deep.equal([key, logKeyOf(log.origin, 2)])
      log.keys = [2]
      log.grow(3)
      server.serve(log.served())
      expect(await auditJson([server.url, '--key', key, '--state', state])).to.deep.include({ code: 0, wrong: [] })
    })

    it('does not accept the old key any more when the new one has signed', async () => {
      const log = announced(new MemoryLog().grow(3), 2)
      const { key } = log
      await audit(log)
      log.keys = [2]
      log.grow(1)
      server.serve(log.served())
      await auditJson([server.url, '--key', key, '--state', state])
      const before = kept()
      log.keys = [1]
      log.grow(1, 9)
      expect(await audit(log)).to.deep.include({ code: 1, wrong: ['replacedKey'] })
      expect(await audit(new MemoryLog().grow(6, 9))).to.deep.include({ code: 1, wrong: ['replacedKey', 'fork'] })
      expect(kept()).to.deep.equal(before)
    })

    it('does not keep keys without end, nor those of other logs', async () => {
      const log = new MemoryLog().add(publicEntry({ kind: 'logKey', verifierKey: logKeyOf('other', 2) }))
      for (let n = 2; n <= 64; n += 1) announced(log, n)
      expect((await audit(log)).wrong).to.deep.equal([])
      announced(log, 65)
      expect((await audit(log)).wrong).to.deep.equal(['tooManyKeys'])
      expect(kept().keys).to.have.length(64)
    })

    it('says that the old key still signs alone', async () => {
      const log = announced(new MemoryLog().grow(3), 2)
      await audit(log)
      log.grow(1)
      expect((await audit(log)).found).to.include('olderKey')
    })

    it('does not accept a key that only a tree announces which it signed itself', async () => {
      const log = new MemoryLog().grow(3)
      await audit(log)
      const { key } = log
      announced(log, 2)
      log.keys = [2]
      server.serve(log.served())
      expect(await auditJson([server.url, '--key', key, '--state', state])).to.deep.include({
        code: 1,
        wrong: ['notSigned'],
      })
    })

    it('takes the word of the auditor for a new key, and still proves that the tree only grows', async () => {
      const log = new MemoryLog().grow(3)
      await audit(log)
      log.keys = [2]
      log.grow(1)
      expect(await audit(log)).to.deep.include({ code: 0, continues: { size: 3 } })
      const forked = new MemoryLog(log.origin, [2]).grow(5, 7)
      expect(await audit(forked)).to.deep.include({ code: 1, wrong: ['fork'] })
    })
  })

  describe('by a policy with two keys, in whatever order', () => {
    const named = (order: readonly number[]) => {
      const policy = join(folder, 'policy')
      const lines = order.map((number) => `log ${logKeyOf('log.example/one', number)}\n`)
      writeFileSync(policy, `${lines.join('')}quorum none\n`)
      return policy
    }
    const auditBy = (order: readonly number[], log: MemoryLog) => {
      server.serve(log.served())
      return auditJson([server.url, '--policy', named(order), '--state', state])
    }
    const announced = (log: MemoryLog) => log.add(publicEntry({ kind: 'logKey', verifierKey: logKeyOf(log.origin, 2) }))

    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      it(`${order} follows a log from one to the other`, async () => {
        const log = new MemoryLog().grow(3)
        expect((await auditBy(order, log)).found).to.deep.equal(['firstSight', 'noWitnesses'])
        announced(log).keys = [1, 2]
        expect((await auditBy(order, log)).found).to.deep.equal(['noWitnesses'])
        expect(kept().keys).to.deep.equal([1, 2].map((number) => logKeyOf(log.origin, number)))
        log.grow(5).keys = [2]
        expect((await auditBy(order, log)).found).to.deep.equal(['noWitnesses'])
        log.grow(5)
        server.serve(log.served())
        expect(await auditJson([server.url, '--state', state])).to.deep.include({ code: 0, wrong: [] })
        log.grow(5).keys = [1]
        expect((await auditBy([2], log)).wrong).to.include('replacedKey')
      })

      it(`${order} follows a log that changed its key unseen`, async () => {
        const log = new MemoryLog().grow(3)
        await auditBy(order, log)
        announced(log).keys = [2]
        expect(await auditBy(order, log)).to.deep.include({ code: 0, wrong: [] })
      })
    }
  })

  it('refuses a state that was changed, or is something else', async () => {
    const log = new MemoryLog().grow(3)
    await audit(log)
    const good = kept()
    for (const wrong of [
      '',
      '[]',
      '{',
      JSON.stringify({ ...good, keys: [] }),
      JSON.stringify({ ...good, readTo: -1 }),
      JSON.stringify({ ...good, readTo: 4 }),
      JSON.stringify({ ...good, note: 'note' }),
      JSON.stringify({ ...good, addresses: [1] }),
      JSON.stringify({ ...good, follows: [{}] }),
      JSON.stringify({ ...good, beforeLog: { facts: 1 } }),
    ]) {
      writeFileSync(state, wrong)
      expect((await audit(log).catch((error) => error)).message, wrong).to.match(/holds no state of an audit/)
    }
    writeFileSync(state, JSON.stringify({ ...good, note: good.note.replace('\n3\n', '\n4\n') }))
    expect((await audit(log).catch((error) => error)).message).to.match(/holds a checkpoint that its keys did not sign/)
  })
})
