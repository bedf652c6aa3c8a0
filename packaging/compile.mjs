import { emitWithAllItNeeds } from './emit.mjs'

// npm run compile, also before `npm start` and `npm run demo`: compiles the host and the browser modules, and bundles the host.
try {
  await emitWithAllItNeeds('host')
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
await import('./stamp.mjs')
await import('./browser.mjs')
await import('./bundle.mjs')
