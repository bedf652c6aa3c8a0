import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { mock } from 'node:test'

/** Calls back, with the number of its inode, before each file or folder that is made durable by `node:fs`; until `end`. */
export function watchSyncedFiles(onSync: (inode: number) => void): { end(): void } {
  const sync = fs.fsyncSync
  const watched = mock.method(fs, 'fsyncSync', (opened: number) => {
    onSync(fs.fstatSync(opened).ino)
    sync(opened)
  })
  syncBuiltinESMExports()
  return {
    end() {
      watched.mock.restore()
      syncBuiltinESMExports()
    },
  }
}
