import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OpenCheckpoint } from '@signed-registry/verifier/log'
import type { ForkProof } from './continuity.js'

const NAME_LENGTH = 16

/** What convinces others that a log has shown two trees. */
export interface Fork {
  readonly kept: OpenCheckpoint
  readonly served: OpenCheckpoint
  readonly proof?: ForkProof | undefined
}

/** Writes the evidence beside the file of the state, once for two notes; answers its path. */
export function keepFork(stateFile: string, fork: Fork, now: Date): string {
  const name = createHash('sha256').update(`${fork.kept.note}\n${fork.served.note}`).digest('hex').slice(0, NAME_LENGTH)
  const file = join(dirname(stateFile), `fork-${name}.txt`)
  if (existsSync(file)) return file
  try {
    writeFileSync(file, forkText(fork, now), { flag: 'wx' })
    return file
  } catch (cause) {
    throw new Error(`${file} cannot be written`, { cause })
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
