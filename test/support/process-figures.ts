import { readFileSync } from 'node:fs'
import type { HostProcess } from './host-process.js'

/** Peak resident memory of a process so far in MiB (VmHWM). */
export function peakMemory({ child }: HostProcess): number {
  const [, kib = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kib) / 1024)
}

/** Processor time of a process so far in seconds, user and system; the kernel counts in ticks of 10 ms. */
export function processorSeconds({ child }: Pick<HostProcess, 'child'>): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
