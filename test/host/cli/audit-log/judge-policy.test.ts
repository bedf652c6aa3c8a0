import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { LogServer } from '../../../support/log/log-server.js'
import { MemoryLog } from '../../../support/log/memory-log.js'
import { logKeyOf, witnessOf } from '../../../support/log/note-keys.js'
import { auditJson } from '../../../support/log/run-audit.js'

describe('signed-registry audit-log judges by a policy', () => {
  const log = new MemoryLog().grow(3)
  const witnesses = [11, 12, 13].map(witnessOf)
  let folder: string
  let server: LogServer
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'))
    server = await LogServer.start()
  })
  after(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  let number = 0
  /** Judges the checkpoint with these lines below it. */
  const audit = (lines: readonly string[], policy: readonly string[], key = log.key) => {
    const file = join(folder, 'policy')
    writeFileSync(file, `${[`log ${key}`, ...policy].join('\n')}\n`)
    server.serve(log.served(`${log.note()}${lines.join('')}`))
    number += 1
    return auditJson([server.url, '--key', log.key, '--policy', file, '--state', join(folder, `${number}.json`)])
  }
  const named = witnesses.map(({ key }, at) => `witness w${at} ${key}`)
  const of = (threshold: number) => [...named, `group g ${threshold} w0 w1 w2`, 'quorum g']
  const seenBy = (...which: readonly number[]) => which.map((at) => witnesses[at]?.line(log.note()) ?? '')

  it('that enough witnesses have cosigned the checkpoint, and when', async () => {
    const { code, found, witnesses: seen } = await audit(seenBy(0, 2), of(2))
    expect([code, found]).to.deep.equal([0, ['firstSight']])
    expect(seen).to.deep.equal([
      { name: 'w0', at: '2023-11-14T22:13:20.000Z' },
      { name: 'w2', at: '2023-11-14T22:13:20.000Z' },
    ])
  })

  it('that too few have', async () => {
    expect(await audit(seenBy(1), of(2))).to.deep.include({ code: 1, wrong: ['quorumMissing'] })
    expect(await audit([], of(2))).to.deep.include({ code: 1, wrong: ['quorumMissing'] })
  })

  it('that a cosignature is wrong', async () => {
    const other = witnesses[0]?.line(new MemoryLog().grow(4).note()) ?? ''
    expect(await audit([other, ...seenBy(1, 2)], of(2))).to.deep.include({ code: 1, wrong: ['cosignatureWrong'] })
  })

  it('that two sets of witnesses may see two logs', async () => {
    expect(await audit(seenBy(0), of(1))).to.deep.include({ code: 0, found: ['firstSight', 'quorumsDisjoint'] })
  })

  it('that no witness is asked for', async () => {
    expect(await audit([], ['quorum none'])).to.deep.include({ code: 0, found: ['firstSight', 'noWitnesses'] })
  })

  it('that keys of unknown types are passed over, and that the quorum cannot be met without them', async () => {
    const key = Buffer.concat([Buffer.of(6), Buffer.alloc(1312)]).toString('base64')
    const unknown = `witness q q.example+01020304+${key}`
    expect(await audit([], [unknown, 'quorum none'])).to.deep.include({
      ...{ code: 0, found: ['firstSight', 'keysPassedOver', 'noWitnesses'] },
    })
    expect(await audit([], [unknown, 'quorum q'])).to.deep.include({ code: 1, wrong: ['quorumImpossible'] })
  })

  it('after what the log has signed was compared and kept, whatever a witness signs', async () => {
    const file = join(folder, 'policy')
    const state = join(folder, 'far.json')
    writeFileSync(file, `log ${log.key}\n${of(1).join('\n')}\n`)
    const served = async (grown: MemoryLog, time: number) => {
      const note = grown.note()
      server.serve(grown.served(`${note}${witnesses[0]?.line(note, time)}`))
      await auditJson([server.url, '--key', log.key, '--policy', file, '--state', state]).catch(() => undefined)
    }
    const far = 2 ** 50
    await served(new MemoryLog().grow(5), far)
    expect(JSON.parse(readFileSync(state, 'utf8')).note).to.include('\n5\n')
    await served(new MemoryLog().grow(5, 7), far)
    expect(readdirSync(folder).filter((name) => name.startsWith('fork-'))).to.have.length(1)
  })

  it('that the policy has another key of the log', async () => {
    const found = await audit(seenBy(0, 1), of(2), logKeyOf(log.origin, 5))
    expect(found).to.deep.include({ code: 1, wrong: ['keyNotInPolicy'] })
  })
})
