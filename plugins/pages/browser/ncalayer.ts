import { Told } from './api.js'
import { texts } from './texts.js'

/** Where NCALayer, the national signing program, listens. */
const ADDRESS = 'wss://127.0.0.1:13579'
const MODULE = 'kz.gov.pki.knca.basics'
const SIGNING = '1.3.6.1.5.5.7.3.4'
const AUTHENTICATION = '1.3.6.1.5.5.7.3.2'
/** Most bytes to pass in one message; of anything larger the program gets hashes. */
export const LARGEST = 40 * 2 ** 20

/** The error of the program when it does not sign, other than a closed window. */
export class ProgramRefusal extends Told {}

interface Greeting {
  readonly result: { readonly version: string }
}
type Answer =
  | { readonly status: true; readonly body: { readonly result?: readonly string[] | string } }
  | { readonly status: false; readonly code?: string; readonly message?: string; readonly details?: string }

/** A request to the program. */
interface Asking {
  readonly use: 'signing' | 'authentication'
  readonly locale: string
  /** True when the contents are hashes, by the algorithm of the key. */
  readonly areHashes?: boolean
}

/** Signs with NCALayer: one detached CMS in base64 for each of the contents in base64. The person chooses the key in its window. */
export async function signByNcaLayer(
  contents: readonly string[],
  { use, locale, areHashes = false }: Asking,
): Promise<string[]> {
  const socket = await open()
  try {
    await message<Greeting>(socket)
    const answer = await ask(socket, {
      module: MODULE,
      method: 'sign',
      args: {
        allowedStorages: null,
        format: 'cms',
        data: contents.length === 1 ? contents[0] : contents,
        signingParams: { decode: true, encapsulate: false, digested: areHashes, tsaProfile: {} },
        signerParams: { extKeyUsageOids: [use === 'signing' ? SIGNING : AUTHENTICATION] },
        locale: locale === 'kk' ? 'kk' : locale,
      },
    })
    if (!answer.status)
      throw new ProgramRefusal(texts.programError(answer.message ?? answer.details ?? answer.code ?? '?'))
    const { result } = answer.body
    const signatures = (typeof result === 'string' ? [result] : (result ?? [])).map(withoutArmour)
    if (signatures.length === 0) throw new Told(texts.cancelled)
    if (signatures.length !== contents.length) throw new Told(texts.programError(String(signatures.length)))
    return signatures
  } finally {
    socket.close()
  }
}

function open(): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(ADDRESS)
    socket.onopen = () => resolve(socket)
    socket.onerror = () => reject(new Told(texts.noProgram))
  })
}

function ask(socket: WebSocket, question: object): Promise<Answer> {
  const answered = message<Answer>(socket)
  socket.send(JSON.stringify(question))
  return answered
}

function message<T>(socket: WebSocket): Promise<T> {
  return new Promise((resolve, reject) => {
    socket.onmessage = ({ data }) => resolve(JSON.parse(String(data)))
    socket.onclose = () => reject(new Told(texts.noProgram))
  })
}

/** Base64 of the DER; the program may answer with PEM. */
const withoutArmour = (signature: string): string => signature.replace(/-----[A-Z0-9 ]+-----/g, '').replace(/\s/g, '')
