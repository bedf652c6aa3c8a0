import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'

const module = new URL('../../packaging/write-aside.mjs', import.meta.url)
const { writeFile, moveFiles, removeAbandoned } = await import(module.href)

const WRITES = 300
/** Writes a file of one letter after the other, all of the same length. */
const WRITER = `
const { workerData, parentPort } = require('node:worker_threads')
import(workerData.module).then(({ writeFile }) => {
  for (let n = 0; n < ${WRITES}; n++) writeFile(workerData.file, 'ab'[n % 2].repeat(2 ** 16))
  parentPort.postMessage('done')
})`

describe('what is written while others read it', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'write-aside-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is as it was or as it will be, and nothing in between', async () => {
    const file = join(folder, 'module.js')
    writeFile(file, 'a'.repeat(2 ** 16))
    const writer = new Worker(WRITER, { eval: true, workerData: { module: module.href, file } })
    let isOver = false
    const done = new Promise((resolve, reject) => writer.once('message', resolve).once('error', reject)).finally(() => {
      isOver = true
    })
    const seen = new Set<string>()
    while (!isOver) {
      const text = readFileSync(file, 'utf8')
      seen.add(`${text[0]} ${text.length} ${new Set(text).size}`)
      await new Promise(setImmediate)
    }
    await done
    await writer.terminate()
    expect([...seen].filter((one) => !/^[ab] 65536 1$/.test(one))).to.deep.equal([])
    expect(readdirSync(folder)).to.deep.equal(['module.js'])
  })

  it('is not touched where it stays the same', () => {
    const [made, dist] = [join(folder, 'made'), join(folder, 'dist')]
    for (const at of [made, dist]) mkdirSync(join(at, 'inner'), { recursive: true })
    const same = join(dist, 'inner', 'same.js')
    writeFileSync(same, 'same')
    writeFileSync(join(dist, 'changed.js'), 'before')
    writeFileSync(join(made, 'inner', 'same.js'), 'same')
    writeFileSync(join(made, 'changed.js'), 'after')
    writeFileSync(join(made, 'inner', 'new.js'), 'new')
    const { ino, mtimeMs } = statSync(same)
    moveFiles(made, dist)
    writeFile(same, 'same')
    expect([statSync(same).ino, statSync(same).mtimeMs]).to.deep.equal([ino, mtimeMs])
    expect(readFileSync(join(dist, 'changed.js'), 'utf8')).to.equal('after')
    expect(readFileSync(join(dist, 'inner', 'new.js'), 'utf8')).to.equal('new')
  })

  it('is removed when its writer was interrupted, and no other', () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    for (const name of ['dist', `dist-${pid}`, `dist-${process.pid}`, 'dist-test', `other-${pid}`])
      mkdirSync(join(folder, name, 'inner'), { recursive: true })
    removeAbandoned(join(folder, 'dist'))
    expect(readdirSync(folder)).to.have.members(['dist', `dist-${process.pid}`, 'dist-test', `other-${pid}`])
  })
})
