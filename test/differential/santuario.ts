import type { Subject } from '@signed-registry/dev-authorities'
import { readPem } from '#dev-authorities/pem.js'
import { JavaProgram } from './java.js'
import { accepted, type Opinion, refused } from './opinion.js'
import type { XmlChoices } from './random-xml.js'

/** Apache Santuario in a process of its own, to canonicalize, sign and judge. */
export class Santuario {
  static readonly jars: readonly string[] = ['xmlsec.jar', 'slf4j-api.jar', 'slf4j-nop.jar', 'commons-codec.jar']
  private readonly program = JavaProgram.start('Santuario', /^(?:Santuario|LineServer)/, Santuario.jars)

  /** The canonical form of an element, by its place in the order of the document, or of all where there is none. */
  async canonicalize(xml: string, method: string, prefixes: string, element = -1): Promise<Buffer> {
    return this.made(await this.program.ask('canonicalize', xml, method, prefixes, String(element)))
  }

  async sign(xml: string, choices: XmlChoices, by: Subject): Promise<string> {
    const { method, signatureMethod, digestMethod, uri, transforms, prefixes } = choices
    const list = transforms.map((transform) => Buffer.from(transform))
    const [key] = readPem('PRIVATE KEY', by.keyPem)
    if (key === undefined) throw new TypeError('no key')
    const fields = [xml, method, signatureMethod, digestMethod, uri, list, prefixes, key, by.certificate]
    return this.made(await this.program.ask('sign', ...fields)).toString('utf8')
  }

  async check(xml: string, by: Subject): Promise<Opinion> {
    const answer = await this.program.ask('check', xml, by.certificate)
    return typeof answer === 'string' ? refused(answer) : accepted
  }

  stop(): void {
    this.program.stop()
  }

  private made(answer: readonly Buffer[][] | string): Buffer {
    const octets = typeof answer === 'string' ? undefined : answer[0]?.[0]
    if (octets === undefined) throw new Error(`Santuario: ${String(answer)}`)
    return octets
  }
}
