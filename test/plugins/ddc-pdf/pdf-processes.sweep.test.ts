import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DdcPdfOptions } from '@signed-registry/ddc-pdf'
import { expect } from 'chai'
import { reservedForCode } from '#ddc-pdf/kernel-limits.js'
import { childrenOf, fileOf, isAlive } from '../../support/child-processes.js'
import { startHostProcess } from '../../support/host-process.js'
import { until } from '../../support/until.js'
import { faultOf, numberedPdf, openCards } from './cards.js'
import { endlessPdf, pdfOf, SHOWN } from './pdfs.js'

const processes = () => childrenOf(process.pid, 'worker.js')

describe('the processes that read PDFs', () => {
  const opened: Awaited<ReturnType<typeof openCards>>[] = []
  let small: Uint8Array
  before(async function () {
    if (process.platform !== 'linux') this.skip()
    small = await numberedPdf(1)
  })
  afterEach(() => Promise.all(opened.splice(0).map((cards) => cards.close())))

  const open = async (options: DdcPdfOptions) => {
    const cards = await openCards(options)
    opened.push(cards)
    return (pdf: Uint8Array) => faultOf(cards.builder.sample(pdf, ['ru']))
  }
  /** The process that does what was just asked for. */
  const theOne = async () => {
    await until(async () => processes().length === 1)
    const [pid] = processes()
    if (pid === undefined) throw new Error('It has ended')
    return pid
  }

  it('are ended by the kernel when one file takes too much of the processor, and the next one is read by another', async () => {
    const sample = await open({ processes: 1, processorSeconds: 4, timeoutMs: 600_000 })
    expect(await sample(endlessPdf())).to.equal('timeout')
    expect(await sample(small)).to.equal('none')
  })

  it('are ended when one file takes too much memory, and the next one is read by another', async () => {
    const sample = await open({ processes: 1, memoryMb: 192, processorSeconds: 600, timeoutMs: 600_000 })
    const bomb = pdfOf(...SHOWN, `[${'<<>>'.repeat(4 * 2 ** 20)}]`)
    expect(await sample(bomb)).to.equal('tooLarge')
    expect(await sample(small)).to.equal('none')
    const lies = pdfOf(...SHOWN, '<</Length 99999999999>>stream\nabc\nendstream')
    expect(await sample(lies)).to.be.oneOf(['none', 'broken'])
  })

  it('blame no file when they are killed by somebody else, and affect no other job', async () => {
    const sample = await open({ processes: 2, processorSeconds: 600, timeoutMs: 600_000, waiting: 0 })
    const endless = sample(endlessPdf())
    const killed = await theOne()
    expect(await sample(small)).to.equal('none')
    process.kill(killed, 'SIGKILL')
    expect(await endless).to.equal('failed')
    expect(await sample(small)).to.equal('none')
  })

  it('say that they are busy when they cannot begin in time, or stand still', async () => {
    const sample = await open({ processes: 1, processorSeconds: 600, timeoutMs: 600_000, waiting: 1, waitMs: 50 })
    const endless = sample(endlessPdf())
    const waits = sample(small)
    expect(await sample(small)).to.equal('busy')
    expect(await waits).to.equal('busy')
    process.kill(await theOne(), 'SIGKILL')
    await endless
    expect(await sample(small)).to.equal('none')
    await opened.splice(0)[0]?.close()
    const hurried = await open({ processes: 1, processorSeconds: 600, timeoutMs: 1000 })
    expect(await hurried(endlessPdf())).to.equal('busy')
  })

  it('do not count what a file waited, nor let it overtake others', async () => {
    const sample = await open({ processes: 1 })
    const done: number[] = []
    await Promise.all([1, 2, 3, 4].map((n) => sample(small).then(() => done.push(n))))
    expect(done).to.deep.equal([1, 2, 3, 4])
    // All of them were read by one.
    expect(processes()).to.have.length(1)
  })

  it('have no environment, folder or files of the host, and limits', async () => {
    const sample = await open({ processes: 1, memoryMb: 256, processorSeconds: 4 })
    expect(await sample(small)).to.equal('none')
    const pid = await theOne()
    expect(fileOf(pid, 'environ')).to.not.contain('PATH').and.not.contain('HOME')
    expect(readlinkSync(`/proc/${pid}/cwd`)).to.equal('/')
    const open3 = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
    expect(open3.filter((file) => !/^(socket|pipe|anon_inode):|^\/dev\/null$/.test(file))).to.deep.equal([])
    const limits = fileOf(pid, 'limits')
    expect(limits).to.match(/Max cpu time +6 +7 /)
    const data = 256 * 2 ** 20 + reservedForCode * 1024
    expect(limits).to.match(new RegExp(`Max data size +${data} +${data} `))
    expect(limits).to.match(/Max core file size +0 +0 /)
    expect(fileOf(pid, 'oom_score_adj').trim()).to.equal('1000')
  })

  it('end with a host that is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'card-processes-'))
    const host = startHostProcess({ DATA_DIR: folder })
    try {
      const body = new Uint8Array(small)
      const headers = { 'content-type': 'application/octet-stream' }
      const answer = await fetch(`${await host.url}/api/checkPDFForDDC`, { method: 'POST', headers, body })
      expect(answer.status).to.equal(200)
      const pids = childrenOf(host.child.pid ?? 0, 'worker.js')
      expect(pids).to.have.length(1)
      await host.end('SIGKILL')
      await until(async () => !pids.some(isAlive))
    } finally {
      await host.end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('end with the registry, whatever they do, and answer no more', async () => {
    const sample = await open({ processes: 2, waiting: 1, processorSeconds: 600 })
    const answers = [endlessPdf(), endlessPdf(), small].map(sample)
    await until(async () => processes().length === 2)
    const pids = processes()
    await opened.splice(0)[0]?.close()
    expect(pids.filter(isAlive)).to.deep.equal([])
    expect(await Promise.all(answers)).to.deep.equal(['unavailable', 'unavailable', 'unavailable'])
    expect(await sample(small)).to.equal('unavailable')
  })
})
