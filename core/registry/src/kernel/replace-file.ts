import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

const NAME_BYTES = 6

/** Replaces a file atomically and durably: after a crash it has the old content or the new. It is readable by its owner only. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${randomBytes(NAME_BYTES).toString('hex')}`
  try {
    const opened = await open(unfinished, 'wx', 0o600)
    try {
      await opened.writeFile(text)
      await opened.sync()
    } finally {
      await opened.close()
    }
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  const folder = await open(dirname(file), 'r')
  await folder.sync().finally(() => folder.close())
}
