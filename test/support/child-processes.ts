import { readdirSync, readFileSync } from 'node:fs'

/** PIDs of running descendants of this process whose command line contains these words (Linux). */
export function childrenOf(parent: number, words: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isChild(pid, parent) && fileOf(pid, 'cmdline').includes(words))
}

/** Whether a process is running. */
export const isAlive = (pid: number): boolean => !['', 'Z', 'X'].includes(statOf(pid)[0] ?? '')

/** A file in `/proc` of a process; empty when it has ended. */
export function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const isChild = (pid: number, parent: number): boolean => isAlive(pid) && Number(statOf(pid)[1]) === parent

/** State, parent and so on (proc(5)); names of programs may have spaces and brackets in them. */
const statOf = (pid: number): string[] => fileOf(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
