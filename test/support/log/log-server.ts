import type { ServerResponse } from 'node:http'
import { AuthorityServer } from '../authority-server.js'

/** What a log answers; `hangs` for nothing, ever. */
export type LogAnswer =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: Uint8Array | string }
  | 'hangs'

/** Answers a path, such as `/checkpoint`; `undefined` for 404. */
export type AnswerPath = (path: string) => Promise<LogAnswer | undefined> | LogAnswer | undefined

/** A log on a port of this machine that serves what a test says. */
export class LogServer {
  private constructor(
    private readonly server: AuthorityServer,
    /** Without a slash at its end. */
    readonly url: string,
    private answer: { by: AnswerPath },
  ) {}

  static async start(by: AnswerPath = () => undefined): Promise<LogServer> {
    const answer = { by }
    const server = await AuthorityServer.start(({ url }, response) => {
      Promise.resolve(answer.by(url)).then(
        (one) => send(response, one),
        (error: Error) => response.destroy(error),
      )
    })
    return new LogServer(server, server.url.replace(/\/$/, ''), answer)
  }

  /** Serves something else from now on. */
  serve(by: AnswerPath): void {
    this.answer.by = by
  }

  /** The paths that were asked for, and what else the requests said. */
  get received() {
    return this.server.received
  }

  async stop(): Promise<void> {
    await this.server.stop()
  }
}

function send(response: ServerResponse, answer: LogAnswer | undefined): void {
  if (answer === 'hangs') return
  const { status = 200, headers = {}, body } = answer ?? { status: 404, body: 'Not found' }
  response.writeHead(status, headers).end(body)
}
