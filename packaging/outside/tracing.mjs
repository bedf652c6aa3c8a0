import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { blockOf, commandsOf, forManager } from './documents.mjs'
import { shell, whileRunning } from './programs.mjs'

const README = 'plugins/opentelemetry/README.md'

/** The stock host with the packages and the configuration file of that README: a collector must hear of what is asked of it. */
export async function checkTracing(host, start, { manager, env }, ask) {
  for (const command of commandsOf(README)) shell(forManager(command, manager), host, env)
  writeFileSync(join(host, 'registry.config.js'), blockOf(README, 'js'))
  let heard = ''
  const collector = createServer(async (request, response) => {
    heard += await text(request)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  try {
    const endpoint = `http://127.0.0.1:${collector.address().port}`
    const settings = { ...env, DATA_DIR: join(host, 'traced'), OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
    await whileRunning(start, host, settings, ask)
  } finally {
    collector.close()
  }
  if (!heard.includes('"GET /api/version"')) throw new Error(`${README}: the collector heard ${heard || 'nothing'}`)
}
