import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OpenCheckpoint } from '@signed-registry/verifier/log'
import type { ForkProof } from './continuity.js'

/** What convinces others that a log has shown two trees. */
export interface Fork {
  readonly kept: OpenCheckpoint
  readonly served: OpenCheckpoint
  readonly proof?: ForkProof | undefined
}

/** Writes the evidence beside the file of the state, into a file that is never overwritten; answers its path. */
export function keepFork(stateFile: string, fork: Fork, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  for (let number = 1; ; number += 1) {
    const file = join(dirname(stateFile), `fork-${time}${number === 1 ? '' : `-${number}`}.txt`)
    try {
      writeFileSync(file, forkText(fork, now), { flag: 'wx' })
      return file
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST'
      if (!isTaken || number === 100) throw new Error(`${file} cannot be written`, { cause: error })
    }
  }
}

function forkText({ kept, served, proof }: Fork, now: Date): string {
  return [
    `Two checkpoints of the log ${kept.origin}, seen by ${now.toISOString()}. Its key signed both.`,
    '',
    `===== kept by the auditor: ${kept.size} entries`,
    kept.note,
    `===== served by the log: ${served.size} entries`,
    served.note,
    ...(proof === undefined ? [] : proofLines(proof, Math.max(kept.size, served.size))),
  ].join('\n')
}

const proofLines = ({ smaller, hashes }: ForkProof, size: number): string[] => [
  `===== the tree of ${size} entries had at ${smaller.size} entries this root, which is not the one that was signed:`,
  base64(smaller.root),
  '===== as these hashes prove (RFC 9162, 2.1.4.2):',
  ...hashes.map(base64),
  '',
]

const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString('base64')
