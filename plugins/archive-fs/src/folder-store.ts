import { randomBytes } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  ArchiveFull,
  type ArchiveStore,
  type ByteRange,
  isArchiveKey,
  type ListedObject,
  type StoredObject,
} from '@signed-registry/core'
import { freeBytes, Room, type TakenRoom } from './room.js'

const SHARD = /^[0-9a-f]{2}$/
/** Files are written here and then renamed. */
const INCOMING = 'incoming'
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const READ_AT_ONCE = 1024 * 1024
const FLUSH_EVERY = 64 * 1024 * 1024

/**
 * Stores each object in a file, `ab/cd/abcd…`. A file is renamed only once it is completely on disk, so that a crash of the
 * process or of the machine leaves it complete or absent.
 */
export class FolderStore implements ArchiveStore {
  constructor(
    private readonly folder: string,
    private readonly room = new Room(() => freeBytes(folder), 0),
  ) {}

  async put(key: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    const path = this.pathOf(key)
    const incoming = join(this.folder, INCOMING)
    await makeFolder(incoming)
    const temporary = join(incoming, `${key}.${randomBytes(8).toString('hex')}`)
    const taken = await this.room.take(size)
    try {
      await writeFile(temporary, bytes, size, taken)
      await makeFolder(dirname(path))
      await rename(temporary, path)
      await syncFolder(dirname(path))
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined)
      throw NO_ROOM.has(codeOf(error)) ? new ArchiveFull(error) : error
    } finally {
      taken.end()
    }
  }

  async get(key: string, range?: ByteRange): Promise<StoredObject | undefined> {
    const path = this.pathOf(key)
    const size = await unlessMissing(async () => (await stat(path)).size)
    if (size === undefined) return undefined
    const { start = 0, end = size } = range ?? {}
    return { size, bytes: read(path, start, Math.min(end, size)) }
  }

  async delete(key: string): Promise<void> {
    const path = this.pathOf(key)
    const incoming = join(this.folder, INCOMING)
    for (const name of (await unlessMissing(() => readdir(incoming))) ?? []) {
      if (name.startsWith(`${key}.`)) await rm(join(incoming, name), { force: true })
    }
    await rm(path, { force: true })
    await unlessMissing(() => syncFolder(dirname(path)))
  }

  async *list(): AsyncGenerator<ListedObject> {
    for (const first of await shards(this.folder)) {
      for (const second of await shards(first)) {
        for (const { name } of await entries(second)) {
          if (!isArchiveKey(name)) continue
          const found = await unlessMissing(() => stat(join(second, name)))
          if (found) yield { key: name, size: found.size }
        }
      }
    }
  }

  private pathOf(key: string): string {
    if (!isArchiveKey(key)) throw new TypeError('The key of an object is 32 characters of 0-9 and a-f')
    return join(this.folder, key.slice(0, 2), key.slice(2, 4), key)
  }
}

/** Writes a file that holds exactly `size` bytes, and waits until the disk has it. */
async function writeFile(path: string, bytes: AsyncIterable<Uint8Array>, size: number, room: TakenRoom): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE)
  try {
    await fill(file, bytes, size, room)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function fill(file: FileHandle, bytes: AsyncIterable<Uint8Array>, size: number, room: TakenRoom): Promise<void> {
  let written = 0
  // A chunk is written while the next one is made.
  let writing: Promise<void> = Promise.resolve()
  let [flushed, flushing] = [0, Promise.resolve()]
  try {
    for await (const chunk of bytes) {
      await writing
      const at = written
      written += chunk.length
      if (written > size) break
      writing = writeAll(file, chunk, at).then(() => room.written(chunk.length))
      // Awaited in the next iteration; until then a rejection must not count as unhandled.
      writing.catch(() => undefined)
      // Starts writing back early; only the flush at the end counts.
      if (written - flushed >= FLUSH_EVERY) {
        flushed = written
        flushing = flushing.then(() => file.datasync())
        // The kernel reports a write error once: it must surface at the end.
        flushing.catch(() => undefined)
      }
    }
  } finally {
    await Promise.all([writing, flushing])
  }
  if (written !== size) throw new RangeError(`${size} bytes were announced, and others came`)
}

async function writeAll(file: FileHandle, chunk: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, at + done)
    done += bytesWritten
  }
}

async function* read(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (start >= end) return
  for await (const chunk of createReadStream(path, { start, end: end - 1, highWaterMark: READ_AT_ONCE })) yield chunk
}

/** Makes a folder and those above it, and waits until the disk has each new one. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: FOLDER_MODE })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const entries = async (path: string): Promise<Dirent[]> =>
  (await unlessMissing(() => readdir(path, { withFileTypes: true }))) ?? []

const shards = async (path: string): Promise<string[]> =>
  (await entries(path)).filter((one) => one.isDirectory() && SHARD.test(one.name)).map(({ name }) => join(path, name))

async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
