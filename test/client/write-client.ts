import { writeFileSync } from 'node:fs'
import { CLIENT_FILE, clientSource } from './generate.js'

// npm run docs: writes the operations of the client.
writeFileSync(CLIENT_FILE, clientSource())
