import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Serves the files of `folder` below `path`, and nothing else, as any web server would. */
export async function serveFolder(folder: string, path: string): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    try {
      if (!name.startsWith(path) || name.includes('..')) throw new Error('Elsewhere')
      const content = await readFile(join(folder, name.slice(path.length)))
      response.setHeader('content-type', TYPES[extname(name)] ?? 'application/octet-stream').end(content)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${path}`, close: () => server.close() }
}
