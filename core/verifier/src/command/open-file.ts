import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { ByteSource } from '../evidence/index.js'
import { unreadable } from './unreadable.js'

/** A file that is read a piece at a time; the caller closes it. */
export interface OpenFile extends ByteSource {
  close(): void
}

/** Opens a file; throws in words of people where it cannot be read, then or later. */
export function openFile(name: string): OpenFile {
  const descriptor = attempt(name, () => openSync(name, 'r'))
  const { size } = attempt(name, () => fstatSync(descriptor))
  return {
    size,
    read: (from, to) => attempt(name, () => readAll(descriptor, from, to)),
    close: () => closeSync(descriptor),
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

function attempt<T>(name: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    throw unreadable(name, cause)
  }
}
