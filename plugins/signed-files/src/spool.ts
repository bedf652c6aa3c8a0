import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { originalErrors, type Upload } from '@signed-registry/core'

/** An upload in a temporary file. */
export interface Spooled {
  readonly size: number
  readonly descriptor: number
  close(): Promise<void>
}

/** Writes an upload to a temporary file without a name: it is gone with the process. Rejects with `processedSizeDiffers`. */
export async function spool(upload: Upload, folder = tmpdir()): Promise<Spooled> {
  const path = join(folder, `signed-file-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    await write(file, upload)
    return { size: upload.size, descriptor: file.fd, close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function write(file: FileHandle, { size, stream }: Upload): Promise<void> {
  let received = 0
  for await (const chunk of stream) {
    received += chunk.length
    if (received > size) break
    await file.write(chunk)
    stream.release?.(chunk)
  }
  if (received !== size) throw originalErrors.error('processedSizeDiffers', { declared: size, received })
}
