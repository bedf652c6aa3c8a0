#!/usr/bin/env node
import closeWithGrace from 'close-with-grace'
import { runAdmin } from './admin/run-admin.js'
import { ConfigError } from './config.js'
import { startHost } from './start-host.js'

const CLOSING_TIMEOUT = 30_000

const WARNING = `
*************************************************************************
  DEVELOPMENT AUTHORITIES ARE ON: anybody can sign as anybody here.
  Nothing registered in this database proves anything.
  Set TRUST_ANCHORS to use real authorities (docs/configuration.md).
*************************************************************************
`

if (process.argv[2] === 'admin') {
  process.exitCode = await runAdmin(process.argv.slice(3), {
    env: process.env,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
} else {
  await serve()
}

async function serve(): Promise<void> {
  try {
    const host = await startHost()
    closeWithGrace({ delay: CLOSING_TIMEOUT, logger: false }, async ({ err }) => {
      if (err) host.app.log.fatal({ err }, 'stopping after a failure')
      else host.app.log.info('stopping')
      await host.close()
    })
    if (host.forDevelopment) process.stderr.write(WARNING)
    process.stdout.write(`
The registry is at ${host.url}
${host.systemsUrl === undefined ? '' : `  For systems     ${host.systemsUrl} (mutual TLS)\n`}  API reference   ${host.url}/docs
  Version         curl ${host.url}/api/version
  Health          curl ${host.url}/readyz
Try next: "npm run demo" registers, verifies and exports a signed document. Stop with Ctrl+C.
`)
  } catch (error) {
    process.exitCode = 1
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(error instanceof ConfigError ? `${reason}\n` : `The host did not start: ${reason}\n`)
  }
}
