import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
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

/** Connections over IPv4 to a port that each process has open. */
export function connectionsTo(port: string, pids: readonly number[]): number[] {
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  const fields = lines.map((line) => line.trim().split(/\s+/))
  const isOurs = ([, local = '', , state]: string[]) =>
    state === '01' && Number.parseInt(local.split(':')[1] ?? '', 16) === Number(port)
  const inodes = new Set(fields.filter(isOurs).map(([, , , , , , , , , inode]) => `socket:[${inode}]`))
  return pids.map((pid) => {
    const open = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
    return open.filter((link) => inodes.has(link)).length
  })
}

/** What a link leads to; nothing where it was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/**
 * Seconds that each thread of a process has run or was ready to, waiting for a processor (schedstat): what other processes
 * take does not matter to it.
 */
export function readySeconds({ child }: Pick<HostProcess, 'child'>): ReadonlyMap<string, number> {
  const threads = readdirSync(`/proc/${child.pid}/task`)
  return new Map(
    threads.map((id) => {
      const [run, waited] = readFileSync(`/proc/${child.pid}/task/${id}/schedstat`, 'utf8').split(' ').map(Number)
      return [id, ((run ?? 0) + (waited ?? 0)) / 1e9]
    }),
  )
}

function secondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
