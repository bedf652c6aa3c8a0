import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { ByteSource } from '../evidence/index.js'
import { readOf } from './unreadable.js'

/** A file that is read a piece at a time; the caller closes it. */
export interface OpenFile extends ByteSource {
  close(): void
}

/** Opens a file; throws in words of people where it cannot be read, then or later. */
export function openFile(name: string): OpenFile {
  const descriptor = readOf(name, () => openSync(name, 'r'))
  const { size } = readOf(name, () => fstatSync(descriptor))
  return {
    size,
    read: (from, to) => readOf(name, () => readAll(descriptor, from, to)),
    close: () => closeSync(descriptor),
  }
}

/** What is made of an open file, which is closed then. */
export function withFile<T>(name: string, use: (file: ByteSource) => T): T {
  const file = openFile(name)
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** As `withFile`, of what takes its time. */
export async function whileOpen<T>(name: string, use: (file: ByteSource) => Promise<T>): Promise<T> {
  const file = openFile(name)
  try {
    return await use(file)
  } finally {
    file.close()
  }
}

function readAll(descriptor: number, from: number, to: number): Uint8Array {
  const bytes = Buffer.alloc(to - from)
  let filled = 0
  while (filled < bytes.length) {
    const read = readSync(descriptor, bytes, filled, bytes.length - filled, from + filled)
    if (read === 0) throw new Error('it became shorter while it was read')
    filled += read
  }
  return bytes
}
