import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { freeBytes, Room } from '@signed-registry/archive-fs'
import { ArchiveFull, ledgerErrors } from '@signed-registry/core'

const RETRY_AFTER = 5

/** A folder to spool bodies to, on a disk that must keep a reserve: the database may be there, too. */
export interface SpoolFolder {
  readonly folder: string
  readonly room: Room
}

export const spoolFolder = (folder: string, reserve: number): SpoolFolder => ({
  folder,
  room: new Room(() => freeBytes(folder), reserve),
})

/** Spools a body of at most `most` bytes to an unlinked file; `undefined`, with nothing read, when the disk has no room. */
export async function spooled(
  body: Readable,
  { folder, room }: SpoolFolder,
  most: number,
): Promise<FileHandle | undefined> {
  const taken = await room.take(most).catch((cause: unknown) => {
    if (cause instanceof ArchiveFull) return undefined
    throw noRoom(cause)
  })
  if (taken === undefined) return undefined
  try {
    const file = await openUnlinked(folder)
    await spool(body, file, most)
    return file
  } finally {
    taken.end()
  }
}

/** An unlinked file: it disappears with its descriptor, however the process ends. */
async function openUnlinked(folder: string): Promise<FileHandle> {
  const path = join(folder, `.spool-${randomUUID()}`)
  try {
    const file = await open(path, 'wx+', 0o600)
    await unlink(path)
    return file
  } catch (cause) {
    throw noRoom(cause)
  }
}

/** Writes a body to a file, up to just over `most` bytes so that excess shows. Closes the file on failure. */
async function spool(body: Readable, file: FileHandle, most: number): Promise<void> {
  let size = 0
  try {
    // Destroying a request closes its socket, so the refusal could not be sent.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      await write(file, chunk)
      size += chunk.length
      if (size > most) return
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function write(file: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
  } catch (cause) {
    throw noRoom(cause)
  }
}

const noRoom = (cause: unknown) =>
  ledgerErrors.error('serviceBusy', { resource: 'spooledJson', retryAfter: RETRY_AFTER }, cause)
