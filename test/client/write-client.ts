import { writeFileSync } from 'node:fs'
import { CLIENT_FILE, clientSource } from './generate.js'

// npm run generate: writes the operations of the client.
writeFileSync(CLIENT_FILE, clientSource())
