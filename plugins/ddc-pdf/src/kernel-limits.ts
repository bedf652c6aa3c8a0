import { existsSync, readFileSync } from 'node:fs'

/** How much of the machine a process may take. */
export interface ProcessLimits {
  /** Mebibytes of all that it holds: its heap, its buffers and itself. */
  readonly memoryMb: number
  /** Seconds of the processor, from its start to its end. */
  readonly processorSeconds: number
}

/** A program with its arguments. */
export interface CommandLine {
  readonly command: string
  readonly args: readonly string[]
}

/** Part of its memory that is not for objects: buffers, code, stacks of threads. */
const HEAP = 0.6

/**
 * Limits that are refused are those that the process has already: an operator's are lower. `-d` and not `-v`, since Node
 * reserves far more addresses than it uses. A processor limit that ends by `SIGXCPU` lies below the one that kills. Where memory is
 * short the kernel ends such a process before the host.
 */
const LIMITED = `limit() { if (ulimit "$1" "$2"); then ulimit "$1" "$2"; fi; }
{ echo 1000 >/proc/self/oom_score_adj; limit -c 0; limit -d "$1"; limit -St "$2"; limit -Ht "$3"; } 2>/dev/null
shift 3; exec "$@"`

const SHELL = '/bin/sh'
const MAPS = '/proc/self/maps'
/** Kibibytes; pages of code that are in use are fewer. */
const RESERVED = 64 * 1024

/**
 * Kibibytes that V8 sets aside for code when it begins, as the kernel's list of a process's memory tells them. Since Node 24 they
 * can be written to, so that `-d` counts half a gibibyte of which next to nothing is ever used.
 */
export function reservedIn(maps: string): number {
  const sizes = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp/gm)].map(
    ([, from = '', to = '']) => (Number.parseInt(to, 16) - Number.parseInt(from, 16)) / 1024,
  )
  return sizes.filter((size) => size >= RESERVED).reduce((sum, size) => sum + size, 0)
}

/** What this process has set aside: those that it starts are of the same Node. */
export const reservedForCode = existsSync(MAPS) ? reservedIn(readFileSync(MAPS, 'latin1')) : 0

/** Whether the kernel holds processes to their limits here; a heap is bounded everywhere. */
export const kernelLimits = process.platform !== 'win32' && existsSync(SHELL)

/** A module as a process of Node that is held to these limits, may read files, and may neither write nor start anything. */
export function limitedNode(
  { memoryMb, processorSeconds }: ProcessLimits,
  module: string,
  args: readonly string[],
): CommandLine {
  const node = [`--max-old-space-size=${Math.floor(memoryMb * HEAP)}`, '--no-warnings', ...permissions, module, ...args]
  if (!kernelLimits) return { command: process.execPath, args: node }
  const limits = [memoryMb * 1024 + reservedForCode, processorSeconds, processorSeconds + 1].map(String)
  return { command: SHELL, args: ['-c', LIMITED, SHELL, ...limits, process.execPath, ...node] }
}

const known = (flag: string): boolean => process.allowedNodeEnvironmentFlags.has(flag)
const permission = ['--permission', '--experimental-permission'].find(known)
const permissions = permission === undefined ? [] : [permission, '--allow-fs-read=*']
