import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { signNote, verifierKey } from '@signed-registry/verifier'
import { port } from '../kernel/port.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { reportErrors } from './errors.js'

/**
 * The Ed25519 key by which a registry signs statements, if it has one. Core never generates it, since others keep the public
 * key, which must stay the same.
 */
export interface StatementKey {
  readonly key: KeyObject | undefined
}
export const StatementKey = port<StatementKey>('StatementKey', 'defaulted')

/** A registry without a statement key signs nothing. */
export const noStatementKey: StatementKey = { key: undefined }

/** Reads a key in PEM (PKCS #8); throws a `TypeError` for anything but an Ed25519 key. */
export function readStatementKey(pem: string): StatementKey {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (cause) {
    throw new TypeError('statementKey holds no PEM key that can be read without a password', { cause })
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('statementKey is no Ed25519 key')
  return { key }
}

/** The name of the key in signed notes: the registry's address without its scheme. */
export const keyName = ({ baseUrl }: Pick<Site, 'baseUrl'>): string =>
  baseUrl.replace(/^[a-z]+:\/\//i, '').replace(/[\s+]/gu, '_')

/** Signs statements by the registry's key. */
export class Statements {
  static readonly inject = { key: StatementKey, site: Site }

  constructor(private readonly use: Injected<typeof Statements.inject>) {}

  /** A signed note with this text; `undefined` in a registry without a statement key. */
  sign(text: string): string | undefined {
    const { key, site } = this.use
    return key.key && signNote(text, keyName(site), key.key)
  }

  /** As `sign`; throws `statementKeyMissing`. */
  signOrRefuse(text: string): string {
    const note = this.sign(text)
    if (note === undefined) throw reportErrors.error('statementKeyMissing')
    return note
  }

  /** The public key with its name, in the format of signed notes' verifiers; throws `statementKeyMissing`. */
  get verifierKey(): string {
    const { ownKey } = this
    if (ownKey === undefined) throw reportErrors.error('statementKeyMissing')
    return ownKey
  }

  /** As `verifierKey`; `undefined` in a registry without a statement key. */
  get ownKey(): string | undefined {
    const { key, site } = this.use
    return key.key && verifierKey(keyName(site), createPublicKey(key.key))
  }
}
