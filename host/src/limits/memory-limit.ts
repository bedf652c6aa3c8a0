import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** How much memory a process may have, and has. */
export interface MemoryLimit {
  readonly bytes: number
  used(): number
}

/** The limit that an operator gives; else that of the control group or of `ulimit -d`; none where nobody set one. */
export function memoryLimit(given: number | undefined): MemoryLimit | undefined {
  if (given !== undefined) return given === 0 ? undefined : { bytes: given, used: process.memoryUsage.rss }
  const data = Number(/^Max data size +(\d+) /m.exec(fileOf('limits'))?.[1] ?? Number.POSITIVE_INFINITY)
  const group = process.constrainedMemory() || Number.POSITIVE_INFINITY
  if (Math.min(data, group) >= totalmem()) return undefined
  return data < group ? { bytes: data, used: dataOf } : { bytes: group, used: process.memoryUsage.rss }
}

/** What the kernel counts for `ulimit -d`. */
const dataOf = (): number => 1024 * Number(/^VmData:\s+(\d+) kB/m.exec(fileOf('status'))?.[1] ?? 0)

function fileOf(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, 'latin1')
  } catch {
    return ''
  }
}
