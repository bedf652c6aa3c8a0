import { existsSync, readFileSync } from 'node:fs'

/** Resource limits of a process. */
export interface ProcessLimits {
  /** Mebibytes in total: heap, buffers, code and stacks. */
  readonly memoryMb: number
  /** CPU seconds over the life of the process. */
  readonly processorSeconds: number
}

/** A program with its arguments. */
export interface CommandLine {
  readonly command: string
  readonly args: readonly string[]
}

/** Share of the memory for the heap; the rest is for buffers, code and thread stacks. */
const HEAP = 0.6

/**
 * A limit that cannot be set is one that the operator has set lower already. `-d` and not `-v`, since Node reserves far more
 * address space than it uses. The soft CPU limit (`SIGXCPU`) is below the hard one (`SIGKILL`). When memory runs out, the kernel
 * kills such a process before the host.
 */
const LIMITED = `limit() { if (ulimit "$1" "$2"); then ulimit "$1" "$2"; fi; }
{ echo 1000 >/proc/self/oom_score_adj; limit -c 0; limit -d "$1"; limit -St "$2"; limit -Ht "$3"; } 2>/dev/null
shift 3; exec "$@"`

const SHELL = '/bin/sh'
const MAPS = '/proc/self/maps'
/** Kibibytes; mappings of code in use are smaller. */
const RESERVED = 64 * 1024

/**
 * Kibibytes that V8 reserves for code at startup, according to `/proc/self/maps`. Since Node 24 they are writable, so that `-d`
 * counts half a gibibyte that is hardly ever used.
 */
export function reservedIn(maps: string): number {
  const sizes = [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp/gm)].map(
    ([, from = '', to = '']) => (Number.parseInt(to, 16) - Number.parseInt(from, 16)) / 1024,
  )
  return sizes.filter((size) => size >= RESERVED).reduce((sum, size) => sum + size, 0)
}

/** The reservation of this process, and so of its children, which run the same Node. */
export const reservedForCode = existsSync(MAPS) ? reservedIn(readFileSync(MAPS, 'latin1')) : 0

/** Whether this platform can enforce limits on processes; the heap is limited on all platforms. */
export const kernelLimits = process.platform !== 'win32' && existsSync(SHELL)

/** The command that runs a module in Node under these limits, allowed to read files but neither to write nor to spawn. */
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
