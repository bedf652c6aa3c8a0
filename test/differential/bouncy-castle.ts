import type { Random } from '../fuzz/random.js'
import { NOW } from '../support/pki/authorities.js'
import type { AnswerInput, Judge, MessageInput, PathInput, StampInput } from './evidence.js'
import { type Field, JavaProgram } from './java.js'
import { accepted, type Opinion, refused } from './opinion.js'

/** What BouncyCastle found in a CMS for the long term, once it had verified the signers, time stamps and answers in it. */
export interface LongTermContents {
  readonly version: number
  readonly certificates: readonly Buffer[]
  /** OCSPResponses. */
  readonly answers: readonly Buffer[]
  readonly crls: readonly Buffer[]
  readonly timeStamps: readonly Buffer[]
}

/** BouncyCastle in a process of its own, to judge and to write. */
export class BouncyCastle implements Judge {
  static readonly jars: readonly string[] = ['bcpkix.jar', 'bcutil.jar', 'bcprov.jar']
  private readonly program = JavaProgram.start('BouncyCastle', /^(?!Santuario)/, BouncyCastle.jars)

  readonly path = ({ time, anchor, others, leaf, crls }: PathInput): Promise<Opinion> =>
    this.judge('path', String(time), anchor, others, leaf, String(crls !== undefined), crls ?? [])

  readonly message = ({ time, anchor, others, cms, data }: MessageInput): Promise<Opinion> =>
    this.judge('message', String(time), anchor, others, cms, data)

  readonly stamp = ({ time, anchor, others, token, data }: StampInput): Promise<Opinion> =>
    this.judge('stamp', String(time), anchor, others, token, data)

  readonly answer = ({ time, response, certificate, issuer }: AnswerInput): Promise<Opinion> =>
    this.judge('answer', String(time), response, certificate, issuer)

  /** What a detached CMS over data has where CAdES-B-LT puts it; a refusal is a text. Paths are not judged. */
  async longTerm(cms: Uint8Array, data: Uint8Array): Promise<LongTermContents | string> {
    const answer = await this.program.ask('long-term', cms, data)
    if (typeof answer === 'string') return answer
    const [version, certificates = [], answers = [], crls = [], timeStamps = []] = answer
    return { version: Number(only(version).toString()), certificates, answers, crls, timeStamps }
  }

  /** Whether an evidence record is about a data object; paths of its time stamps are not judged. */
  readonly record = (record: Uint8Array, data: Uint8Array, at: number): Promise<Opinion> =>
    this.judge('record', record, data, String(at))

  /** Evidence records of data objects under one time stamp by SHA-256, renewed in this order a day apart; by hash to SHA-512. */
  async writeRecords(data: readonly Uint8Array[], renewals: readonly ('stamp' | 'hash')[]) {
    const renewed = renewals.map((one) => Buffer.from(one))
    const answer = await this.program.ask('write-records', '1', String(NOW), data, renewed)
    if (typeof answer === 'string') throw new Error(answer)
    const [anchor, records = []] = answer
    return { anchor: only(anchor), records }
  }

  async writePath(random: Random): Promise<PathInput> {
    const { what, fields } = await this.write('write-path', random)
    const [anchor, others = [], leaf, crls = []] = fields
    return { traits: what, time: NOW, anchor: only(anchor), others, leaf: only(leaf), crls }
  }

  async writeMessage(random: Random): Promise<MessageInput> {
    const { what, fields } = await this.write('write-message', random)
    const [anchor, cms, data] = fields.map(only)
    return { traits: what, time: NOW, anchor: known(anchor), others: [], cms: known(cms), data: known(data) }
  }

  async writeStamp(random: Random): Promise<StampInput> {
    const { what, fields } = await this.write('write-stamp', random)
    const [anchor, token, data] = fields.map(only)
    return { traits: what, time: NOW, anchor: known(anchor), others: [], token: known(token), data: known(data) }
  }

  async writeAnswer(random: Random): Promise<AnswerInput> {
    const { what, fields } = await this.write('write-answer', random)
    const [anchor, response, certificate] = fields.map(only)
    const issuer = known(anchor)
    const answer = { response: known(response), certificate: known(certificate), issuer }
    return { traits: what, time: NOW, anchor: issuer, others: [], ...answer }
  }

  stop(): void {
    this.program.stop()
  }

  private async judge(command: string, ...fields: readonly Field[]): Promise<Opinion> {
    const answer = await this.program.ask(command, ...fields)
    return typeof answer === 'string' ? refused(answer) : accepted
  }

  /** Choices are made there, by a seed that is chosen here. */
  private async write(command: string, random: Random): Promise<{ what: string[]; fields: readonly Buffer[][] }> {
    const answer = await this.program.ask(command, String(random.below(2_147_483_647)), String(NOW))
    if (typeof answer === 'string') throw new Error(`${command}: ${answer}`)
    const [what, ...fields] = answer
    return { what: only(what).toString('utf8').split(', '), fields }
  }
}

const only = (field: readonly Buffer[] | undefined): Buffer => known(field?.[0])

function known(octets: Buffer | undefined): Buffer {
  if (octets === undefined) throw new TypeError('BouncyCastle left out a field')
  return octets
}
