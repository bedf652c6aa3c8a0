#!/usr/bin/env node
// Stands outside dist so that npm can link it before the first build.
import { existsSync } from 'node:fs'

const built = new URL('../dist/dev-phone-command.js', import.meta.url)
if (existsSync(built)) {
  const { devPhone } = await import(built.href)
  process.exitCode = await devPhone(process.argv.slice(2))
} else {
  console.error('dev-phone: not built yet; run: npm run build')
  process.exitCode = 1
}
