import { RegistryError } from '../error.js'
import { type NoteKeyType, readUnknownKey, readVerifierKey } from '../notes/verifier-key.js'
import { readDecimal } from './decimal.js'
import { logErrors } from './errors.js'
import {
  type LogPolicy,
  NO_WITNESSES,
  type PassedOver,
  type PolicyGroup,
  type PolicyLog,
  type PolicyWitness,
} from './policy.js'

const MAX_CHARACTERS = 1024 * 1024
/** Logs, witnesses or groups: as many as a note has signatures at most. */
const MAX_OF_A_KIND = 64
/** Neither control characters but tabs, nor DEL. */
const LINE = /^[\t\u{20}-\u{7e}\u{80}-\u{10ffff}]*$/u

/** Reads a policy (C2SP tlog-policy, "Policy file syntax and structure"); throws `logPolicyNotRead` with the line. */
export function readLogPolicy(text: string): LogPolicy {
  if (text.length > MAX_CHARACTERS) throw logErrors.error('logPolicyNotRead', { reason: 'tooLong', line: 1 })
  const lines = text.split('\n')
  const policy = new PolicyLines()
  for (const [at, line] of lines.entries()) {
    try {
      if (!LINE.test(line)) throw new PolicyFault('character')
      const [keyword = '', ...items] = line.split(/[ \t]+/).filter((item) => item !== '')
      if (keyword !== '' && !keyword.startsWith('#')) policy.take(keyword, items)
    } catch (error) {
      if (!(error instanceof PolicyFault)) throw error
      throw logErrors.error('logPolicyNotRead', { reason: error.reason, line: at + 1 })
    }
  }
  const { logs, witnesses, passedOver, groups, quorum } = policy
  if (quorum === undefined) throw logErrors.error('logPolicyNotRead', { reason: 'quorumMissing', line: lines.length })
  return { logs, witnesses, passedOver, groups, quorum }
}

/** What is wrong with a line. */
class PolicyFault extends Error {
  constructor(readonly reason: string) {
    super(reason)
  }
}

/** A policy as far as it is read. */
class PolicyLines {
  readonly logs: PolicyLog[] = []
  readonly witnesses: PolicyWitness[] = []
  readonly passedOver: PassedOver[] = []
  readonly groups: PolicyGroup[] = []
  quorum: string | undefined
  private readonly members = new Set<string>()

  take(keyword: string, items: readonly string[]): void {
    if (keyword === 'log') this.log(items)
    else if (keyword === 'witness') this.witness(items)
    else if (keyword === 'group') this.group(items)
    else if (keyword === 'quorum') this.setQuorum(items)
    else throw new PolicyFault('keyword')
  }

  private log([verifierKey, url, ...more]: readonly string[]): void {
    if (verifierKey === undefined || more.length > 0) throw new PolicyFault('items')
    const unknown = unknownIn(verifierKey)
    if (unknown === undefined) add(this.logs, keyOf(verifierKey, 'note', this.logs, url))
    else this.passOver({ role: 'log', name: unknown.name, verifierKey })
  }

  private witness([name, verifierKey, url, ...more]: readonly string[]): void {
    if (name === undefined || verifierKey === undefined || more.length > 0) throw new PolicyFault('items')
    this.checkFree(name)
    if (unknownIn(verifierKey) === undefined)
      add(this.witnesses, { name, ...keyOf(verifierKey, 'cosignature', this.witnesses, url) })
    else this.passOver({ role: 'witness', name, verifierKey })
  }

  private passOver(one: PassedOver): void {
    const material = ({ verifierKey }: PassedOver) => unknownIn(verifierKey)?.material.toString('hex')
    const others = this.passedOver.filter(({ role }) => role === one.role)
    if (others.some((other) => material(other) === material(one))) throw new PolicyFault('keyTaken')
    add(this.passedOver, one)
  }

  private group([name, count, ...members]: readonly string[]): void {
    if (name === undefined || count === undefined || members.length === 0) throw new PolicyFault('items')
    this.checkFree(name)
    for (const member of members) {
      if (!this.isDefined(member)) throw new PolicyFault('nameUnknown')
      if (this.members.has(member)) throw new PolicyFault('memberTwice')
      this.members.add(member)
    }
    const threshold = count === 'any' ? 1 : count === 'all' ? members.length : readDecimal(count)
    if (threshold === undefined || threshold < 1 || threshold > members.length) throw new PolicyFault('threshold')
    add(this.groups, { name, threshold, members })
  }

  private setQuorum([name, ...more]: readonly string[]): void {
    if (name === undefined || more.length > 0) throw new PolicyFault('items')
    if (this.quorum !== undefined) throw new PolicyFault('quorumTwice')
    if (name !== NO_WITNESSES && !this.isDefined(name)) throw new PolicyFault('nameUnknown')
    this.quorum = name
  }

  private isDefined(name: string): boolean {
    const unknown = this.passedOver.filter(({ role }) => role === 'witness')
    return [...this.witnesses, ...unknown, ...this.groups].some((one) => one.name === name)
  }

  private checkFree(name: string): void {
    if (name === NO_WITNESSES || this.isDefined(name)) throw new PolicyFault('nameTaken')
  }
}

function add<T>(all: T[], one: T): void {
  if (all.length === MAX_OF_A_KIND) throw new PolicyFault('tooMany')
  all.push(one)
}

/** A key of a line; two lines of a kind may not have the same, whatever they call it. */
function keyOf(
  verifierKey: string,
  type: NoteKeyType,
  others: readonly PolicyLog[],
  url: string | undefined,
): PolicyLog {
  const key = keyIn(verifierKey, type)
  if (others.some((other) => other.key.octets.equals(key.octets))) throw new PolicyFault('keyTaken')
  return { verifierKey, key, ...(url !== undefined && { url }) }
}

const keyIn = (verifierKey: string, type: NoteKeyType) => whereReadable(() => readVerifierKey(verifierKey, type))

const unknownIn = (verifierKey: string) => whereReadable(() => readUnknownKey(verifierKey))

function whereReadable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RegistryError) throw new PolicyFault('key')
    throw error
  }
}
