import { emitWithAllItNeeds } from './emit.mjs'

// npm run compile, and before `npm start` and `npm run demo`: writes the host, what pages load, and the host as one file.
try {
  await emitWithAllItNeeds('host')
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
await import('./stamp.mjs')
await import('./browser.mjs')
await import('./bundle.mjs')
