import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ledgerErrors } from '@signed-registry/core'

const RETRY_AFTER = 5

/** A file without a name: it is gone with its descriptor, however the process ends. */
export async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `.spool-${randomUUID()}`)
  try {
    const file = await open(path, 'wx+', 0o600)
    await unlink(path)
    return file
  } catch (cause) {
    throw noRoom(cause)
  }
}

/** Keeps a body in a file while it comes; of one that is longer than `most`, so much that this shows. The file is closed when that fails. */
export async function spool(body: Readable, file: FileHandle, most: number): Promise<void> {
  let size = 0
  try {
    // Destroying a request closes its socket, and nobody would be told why.
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
