#!/usr/bin/env node
// Stands outside dist so that npm can link it before the first build.
import { existsSync } from 'node:fs'

const built = new URL('../dist/dev-sign.js', import.meta.url)
if (existsSync(built)) {
  const { devSign } = await import(built.href)
  process.exitCode = devSign(process.argv.slice(2))
} else {
  console.error('dev-sign: not built yet; run: npm run build')
  process.exitCode = 1
}
