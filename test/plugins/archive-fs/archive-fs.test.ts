import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FolderStore, Room } from '@signed-registry/archive-fs'
import { ArchiveFull } from '@signed-registry/core'
import { archiveStoreContract } from '@signed-registry/core/contracts'
import { expect } from 'chai'
import { EncryptedStore } from '#core/originals/encryption.js'
import { gate } from '../../support/deliveries.js'
import { hold } from '../../support/hold.js'
import { bytesIn, chunksOf, newKey } from '../../support/objects.js'
import { mountSmallDisk } from '../../support/small-disk.js'

const MIB = 1024 * 1024

describe('a folder as an archive store', () => {
  const folders: string[] = []
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-archive-'))
    folders.push(folder)
    return folder
  }
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  describe('encrypted', () => {
    const store = new EncryptedStore(new FolderStore(newFolder()), [{ name: 'a', key: randomBytes(32) }])
    hold(archiveStoreContract({ open: () => store }))
  })

  it('makes files neither readable by others nor executable', async () => {
    const folder = newFolder()
    const store = new FolderStore(folder)
    const key = newKey()
    await store.put(key, chunksOf(randomBytes(10)), 10)
    const path = join(folder, key.slice(0, 2), key.slice(2, 4), key)
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    expect(statSync(join(folder, key.slice(0, 2))).mode & 0o777).to.equal(0o700)
  })

  it('leaves no file behind an interrupted write, and deletes what a killed process left', async () => {
    const folder = newFolder()
    const program = `
      import { FolderStore } from '@signed-registry/archive-fs'
      async function* bytes() {
        for (;;) {
          yield Buffer.alloc(${MIB})
          process.stdout.write('.')
        }
      }
      await new FolderStore(process.argv[1]).put('${'a'.repeat(32)}', bytes(), 2 ** 40)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const store = new FolderStore(folder)
    expect(readdirSync(join(folder, 'incoming'))).to.have.length(1)
    expect(await store.get('a'.repeat(32))).to.equal(undefined)
    for await (const { key } of store.list()) expect.fail(key)
    await store.delete('a'.repeat(32))
    expect(readdirSync(join(folder, 'incoming'))).to.deep.equal([])
  })

  it('reports a full disk, removes the partial file, and still stores what fits', async function () {
    const disk = mountSmallDisk(8)
    if (disk === undefined) this.skip()
    try {
      const store = new FolderStore(join(disk.folder, 'archive'))
      const key = newKey()
      const error = await store.put(key, chunksOf(Buffer.alloc(9 * MIB)), 9 * MIB).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(ArchiveFull)
      expect(await store.get(key)).to.equal(undefined)
      await store.put(key, chunksOf(Buffer.alloc(7 * MIB)), 7 * MIB)
      expect(await bytesIn(store, key)).to.have.length(7 * MIB)
    } finally {
      disk.unmount()
    }
  })

  it('leaves its reserve free, also where several are written at once, and says that there is no room', async () => {
    const folder = newFolder()
    let free = 10 * MIB
    const store = new FolderStore(folder, new Room(async () => free, 4 * MIB))
    const put = (size: number) => {
      const key = newKey()
      return store.put(key, chunksOf(Buffer.alloc(size)), size).then(
        () => key,
        (error: unknown) => error,
      )
    }
    expect(await put(6 * MIB + 1)).to.be.instanceOf(ArchiveFull)
    // None is written before all have asked.
    const { passed, open: begin } = gate()
    let asked = 0
    const ask = () => {
      asked += 1
      if (asked === 3) begin()
    }
    async function* chunksAfterAll(size: number) {
      ask()
      await passed
      yield Buffer.alloc(size)
    }
    const putTogether = (size: number) =>
      store.put(newKey(), chunksAfterAll(size), size).catch((error: unknown) => {
        ask()
        return error
      })
    const several = await Promise.all([4 * MIB, 2 * MIB, 1].map(putTogether))
    // Whichever two ask first.
    const refused = several.filter((one) => one !== undefined)
    expect(refused).to.have.length(1)
    expect(refused[0]).to.be.instanceOf(ArchiveFull)
    expect(readdirSync(join(folder, 'incoming'))).to.deep.equal([])
    // What was written, or refused, is not counted twice.
    expect(await put(6 * MIB)).to.be.a('string')
    free = 4 * MIB
    expect(await put(1)).to.be.instanceOf(ArchiveFull)
    expect(await put(0)).to.be.a('string')
  })
})
