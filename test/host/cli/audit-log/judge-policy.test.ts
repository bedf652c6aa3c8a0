import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
    expect(await audit(seenBy(0), of(1))).to.deep.include({ code: 0, found: ['quorumsDisjoint', 'firstSight'] })
  })

  it('that no witness is asked for', async () => {
    expect(await audit([], ['quorum none'])).to.deep.include({ code: 0, found: ['noWitnesses', 'firstSight'] })
  })

  it('that keys of unknown types are passed over, and that the quorum cannot be met without them', async () => {
    const key = Buffer.concat([Buffer.of(6), Buffer.alloc(1312)]).toString('base64')
    const unknown = `witness q q.example+01020304+${key}`
    expect(await audit([], [unknown, 'quorum none'])).to.deep.include({
      ...{ code: 0, found: ['keysPassedOver', 'noWitnesses', 'firstSight'] },
    })
    expect(await audit([], [unknown, 'quorum q'])).to.deep.include({ code: 1, wrong: ['quorumImpossible'] })
  })

  it('that the policy has another key of the log', async () => {
    const found = await audit(seenBy(0, 1), of(2), logKeyOf(log.origin, 5))
    expect(found).to.deep.include({ code: 1, wrong: ['keyNotInPolicy'] })
  })
})
