import { createPublicKey } from 'node:crypto'
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Administration } from '@signed-registry/core'
import { verifierKey } from '@signed-registry/verifier'
import { keptKey, syncFolder } from '../../session/kept-secrets.js'

/**
 * Makes another key for the log beside the file of the present one, and changes the log to it; the former key stays in a file
 * that ends in `.old`. What was interrupted goes on with the same key when it is run again. Answers the new public key.
 */
export async function rotateLogKey({ log }: Pick<Administration, 'log'>, file: string): Promise<string> {
  if (!existsSync(file)) throw new Error(`There is no key at ${file}: run this where the registry has it`)
  // What it writes must be readable for the host; keys are readable for nobody else.
  const { uid } = statSync(file)
  if (process.getuid !== undefined && process.getuid() !== uid)
    throw new Error(`Run this as the user that the registry runs as, who owns ${file}`)
  const { log: known } = await log.report()
  if (known === undefined) throw new Error('The registry has not begun a log yet')
  const nextFile = `${file}.new`
  const next = keptKey(nextFile)
  // What an interrupted run has made may not be durable yet; from the change on nothing else signs the log.
  syncFolder(dirname(file))
  const nextKey = verifierKey(known.origin, createPublicKey(next))
  if (known.verifierKey !== nextKey) await log.changeKey(next)
  const oldFile = `${file}.old`
  rmSync(oldFile, { force: true })
  // There is a key at every moment: a registry that starts without one would make its own.
  linkSync(file, oldFile)
  renameSync(nextFile, file)
  syncFolder(dirname(file))
  return nextKey
}
