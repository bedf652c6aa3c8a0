import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { stateFile } from '#host/cli/audit-log/audit-state.js'
import { publicEntry } from '#verifier/log/public-entry.js'
import { type AnswerPath, LogServer } from '../../../support/log/log-server.js'
import { MemoryLog } from '../../../support/log/memory-log.js'
import { logKeyOf } from '../../../support/log/note-keys.js'
import { auditJson, auditText } from '../../../support/log/run-audit.js'

describe('signed-registry audit-log finds a log and its key', () => {
  const log = new MemoryLog().grow(3)
  let folder: string
  let server: LogServer
  let told: object
  before(async () => {
    server = await LogServer.start()
  })
  after(() => server.stop())
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'))
    told = { address: `${server.url}/log/one`, verifierKey: log.key, origin: log.origin }
    server.serve(registry)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** A registry with one log. */
  const registry: AnswerPath = (path) => {
    if (path === '/api/log') return { body: JSON.stringify(told) }
    return path.startsWith('/log/one/') ? log.served()(path.slice('/log/one'.length)) : undefined
  }
  const state = () => join(folder, 'state.json')
  const audit = (...args: string[]) => auditJson([...args, '--state', state()])
  const refusal = async (...args: string[]) => {
    const error = await audit(...args).catch((reason: unknown) => reason)
    return error instanceof Error && error.name === 'UsageError' ? error.message : 'no refusal'
  }

  for (const suffix of ['', '/', '/log/one', '/log/one/'])
    it(`by the address http://registry${suffix}`, async () => {
      const { code, log: found, key } = await audit(`${server.url}${suffix}`)
      expect(code).to.equal(0)
      expect(found).to.deep.equal({ origin: log.origin, address: `${server.url}/log/one` })
      expect(key).to.deep.equal({ verifierKey: log.key, source: 'told', isTold: true })
    })

  it('says loudly that the key is from the registry itself, until the auditor gives it', async () => {
    const { out } = await auditText([server.url, '--state', state()])
    expect(out).to.include(
      'the key was TAKEN FROM THE REGISTRY ITSELF: compare it with the key that the operator publishes',
    )
    const again = await audit(server.url)
    expect(again.key).to.include({ source: 'kept', isTold: true })
    expect(again.found).to.include('keyTold')
    expect((await audit(server.url, '--key', log.key)).found).to.not.include('keyTold')
    expect((await audit(server.url)).found).to.not.include('keyTold')
  })

  it('keeps to the first key, whatever the registry says later', async () => {
    await audit(server.url)
    const other = new MemoryLog(log.origin, [2]).grow(3)
    told = { ...told, verifierKey: other.key }
    server.serve((path) =>
      path.startsWith('/log/one/') ? other.served()(path.slice('/log/one'.length)) : registry(path),
    )
    const { code, wrong, findings } = await audit(server.url)
    expect([code, wrong]).to.deep.equal([1, ['notSigned']])
    expect(findings.at(-1)?.text).to.include(`the registry names the key ${other.key}, which no entry`)
  })

  describe('after changes of the key', () => {
    const announced = (grown: MemoryLog, number: number) =>
      grown.add(publicEntry({ kind: 'logKey', verifierKey: logKeyOf(log.origin, number) }))
    const serve = (served: MemoryLog) =>
      server.serve((path) =>
        path.startsWith('/log/one/') ? served.served()(path.slice('/log/one'.length)) : registry(path),
      )
    /** A log with three keys, one after the other; `announcing` are those that it announces. */
    const changing = (announcing: readonly number[] = [2, 3]) => {
      const changed = new MemoryLog(log.origin).grow(300)
      const keyChanges: object[] = []
      for (const number of [2, 3]) {
        if (announcing.includes(number)) announced(changed, number)
        const formerKey = changed.key
        changed.keys = [number - 1, number]
        keyChanges.push({ formerKey, changedAt: 1, checkpoint: changed.note() })
        changed.keys = [number]
        changed.grow(300)
      }
      told = { ...told, verifierKey: changed.key, keyChanges }
      serve(changed)
      return { changed, keyChanges }
    }

    it('from the first key to the present one, by the checkpoints that two keys signed', async () => {
      const { changed } = changing()
      const found = await audit(server.url, '--key', log.key)
      expect(found).to.deep.include({ code: 0, wrong: [] })
      expect(found.key).to.include({ verifierKey: changed.key })
      expect(found.entries).to.include({ readTo: 902 })
      expect(found.keyChanges).to.deep.equal([
        { 'key change': { size: 301 }, entries: { proved: 301, readTo: 301 } },
        { 'key change': { size: 602 }, continues: { size: 301 }, entries: { proved: 301, readTo: 602 } },
      ])
      expect(await audit(server.url, '--key', log.key)).to.deep.include({ code: 0, continues: { size: 902 } })
    })

    it('from the checkpoint that was kept', async () => {
      serve(new MemoryLog(log.origin).grow(200))
      await audit(server.url, '--key', log.key)
      changing()
      expect(await audit(server.url)).to.deep.include({ code: 0, wrong: [] })
    })

    it('by each checkpoint once, however often the registry names it', async () => {
      const { keyChanges } = changing()
      told = { ...told, keyChanges: keyChanges.flatMap((change) => [change, change, change]) }
      const found = await audit(server.url, '--key', log.key)
      expect(found).to.deep.include({ code: 0, wrong: [] })
      expect(found.keyChanges).to.have.length(2)
    })

    it('not by a key that no entry announces', async () => {
      for (const announcing of [[], [2], [3]]) {
        changing(announcing)
        expect(await audit(server.url, '--key', log.key), `${announcing}`).to.deep.include({ wrong: ['notSigned'] })
        rmSync(state())
      }
    })

    it('not by a checkpoint that the former key did not sign, or that is something else', async () => {
      const { changed } = changing()
      for (const keyChanges of [[{ checkpoint: changed.note() }], ['x', null, { checkpoint: 1 }], 'x', undefined]) {
        told = { ...told, keyChanges }
        expect(await audit(server.url, '--key', log.key)).to.deep.include({ code: 1, wrong: ['notSigned'] })
      }
    })

    it('not by a fork', async () => {
      const { keyChanges } = changing()
      const other = announced(new MemoryLog(log.origin).grow(350, 7), 2)
      other.keys = [1, 2]
      told = { ...told, keyChanges: [{ checkpoint: other.note() }, ...keyChanges.slice(1)] }
      expect((await audit(server.url, '--key', log.key)).wrong)
        .to.include('entriesUnproved')
        .and.include('notSigned')
    })
  })

  it('does not believe a key that the registry told before the one that the auditor gives', async () => {
    await audit(server.url)
    expect(await audit(server.url, '--key', logKeyOf(log.origin, 2))).to.deep.include({ code: 1, wrong: ['notSigned'] })
  })

  it('takes the key from a file, as text or as the registry answers it', async () => {
    const file = join(folder, 'key')
    for (const text of [`${log.key}\n`, JSON.stringify({ verifierKey: log.key })]) {
      writeFileSync(file, text)
      expect(await audit(server.url, '--key', file)).to.deep.include({ code: 0 })
    }
  })

  it('takes the key from the policy', async () => {
    const policy = join(folder, 'policy')
    writeFileSync(policy, `log ${logKeyOf('other', 4)}\nlog ${log.key}\nquorum none\n`)
    const { key, found } = await audit(server.url, '--policy', policy)
    expect(key).to.include({ source: 'policy', isTold: false })
    expect(found).to.deep.equal(['firstSight', 'noWitnesses'])
  })

  it('keeps its state in a file named for the log', async () => {
    expect(stateFile('registry.example/log/6b1f')).to.equal('audit-registry.example-log-6b1f.json')
    expect(stateFile('../..//x\n')).to.equal('audit-..-..--x-.json')
    expect(stateFile('a'.repeat(1000)).length).to.be.lessThan(256)
  })

  it('keeps its state for this user alone', async () => {
    await audit(server.url)
    expect(statSync(state()).mode & 0o777).to.equal(0o600)
  })

  it('asks for a key where nobody names one', async () => {
    server.serve((path) => log.served()(path))
    expect(await refusal(server.url)).to.equal('Give the key of the log: --key VKEY, or a --policy that names it')
  })

  it('refuses wrong usage', async () => {
    expect(await refusal()).to.match(/^Name one log/)
    expect(await refusal(server.url, server.url)).to.match(/^Name one log/)
    expect(await refusal('ftp://registry.example')).to.match(/^Give the address of a log/)
    expect(await refusal(`${server.url}?log`)).to.match(/without \? and #/)
    expect(await refusal(`${server.url}/#log`)).to.match(/without \? and #/)
    expect(await refusal('registry')).to.match(/^Give the address of a log/)
    expect(await refusal(server.url, '--quiet')).to.match(/--quiet/)
    expect(await refusal(server.url, '--key', 'a+00000000+AAAA')).to.match(/^--key takes the verifier key of a log/)
    expect(await refusal(server.url, '--with-database', 'postgres://x')).to.match(/^--with-database takes sqlite:PATH/)
    const policy = join(folder, 'policy')
    writeFileSync(policy, 'quorum none\nwitness\n')
    expect(await refusal(server.url, '--policy', policy)).to.match(/is no policy: line 2 \(items\)$/)
  })

  for (const [what, answer] of [
    ['nothing', undefined],
    ['a page', { body: '<html>' }],
    ['a list', { body: '[]' }],
    ['no address', { body: '{"verifierKey":"x"}' }],
  ] as const)
    it(`says that there is no log where the registry answers ${what}`, async () => {
      server.serve(() => answer)
      const { code, findings } = await audit(server.url)
      expect(code).to.equal(3)
      expect(findings.at(-1)?.text).to.include('is neither a log nor a registry with one')
    })

  it('asks no other server that the registry names, and no address with a query', async () => {
    const other = await LogServer.start(log.served())
    for (const address of [
      `${other.url}/x`,
      `${server.url.replace('http:', 'https:')}/log/one`,
      `${server.url}/log/one?x`,
      'x',
    ]) {
      told = { address, verifierKey: log.key }
      expect(await refusal(server.url), address).to.match(
        /which is another server or no plain address, and is not asked: give that address yourself/,
      )
    }
    told = { address: `${other.url}/\u009b31m`, verifierKey: log.key }
    expect(await refusal(server.url)).to.include('\ufffd31m')
    expect(other.received).to.deep.equal([])
    await other.stop()
  })

  it('says that a log at the address that the registry names has no checkpoint', async () => {
    told = { address: `${server.url}/log/two`, verifierKey: log.key }
    const { findings } = await audit(server.url)
    expect(findings.at(-1)?.text).to.include('/log/two/checkpoint is no checkpoint of a log')
  })
})
