import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TrustFile } from '../index.js'
import { unreadable } from './unreadable.js'

/** Certificates and CRLs at a path: a file, or a folder of them. */
export const trustFilesAt = (path: string): TrustFile[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.(pem|cer|crt|der|crl)$/i.test(name))
        .map((name) => read(join(path, name)))
    : [read(path)]

function read(name: string): TrustFile {
  try {
    return { name, bytes: readFileSync(name) }
  } catch (cause) {
    throw unreadable(name, cause)
  }
}
