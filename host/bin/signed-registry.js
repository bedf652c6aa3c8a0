#!/usr/bin/env node
await import('../dist/main.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.url?.endsWith('/dist/main.js')) throw error
  process.stderr.write(
    'This clone is not compiled yet: "npm run compile" takes a second, "npm start" does it by itself\n',
  )
  process.exitCode = 1
})
