import { writeFileSync } from 'node:fs'
import { CLIENT_FILE, clientFile } from './client-file.js'

// npm run generate: writes the operations of the client.
writeFileSync(CLIENT_FILE, clientFile())
