import { readFileSync } from 'node:fs'
import type { HostProcess } from './host-process.js'

/** Peak resident memory of a process so far in MiB (VmHWM). */
export function peakMemory({ child }: HostProcess): number {
  const [, kib = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kib) / 1024)
}

/** Processor time of a process so far in seconds, user and system; the kernel counts in ticks of 10 ms. */
export const processorSeconds = ({ child }: Pick<HostProcess, 'child'>): number => secondsOf(child.pid)

/** The same of a process and of those that it has started. */
export const processorSecondsOfAll = ({ child }: Pick<HostProcess, 'child'>): number =>
  [child.pid, ...childrenOf(child.pid)].reduce<number>((sum, pid) => sum + secondsOf(pid), 0)

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number | undefined): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

function secondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
