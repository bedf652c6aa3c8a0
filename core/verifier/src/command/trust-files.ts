import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TrustFile } from '../index.js'
import { readOf } from './unreadable.js'

/** Certificates and CRLs at a path: a file, or a folder of them. */
export const trustFilesAt = (path: string): TrustFile[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(path)
        .filter((name) => /\.(pem|cer|crt|der|crl)$/i.test(name))
        .map((name) => trustFile(join(path, name)))
    : [trustFile(path)]

const trustFile = (name: string): TrustFile => ({ name, bytes: readOf(name, () => readFileSync(name)) })
