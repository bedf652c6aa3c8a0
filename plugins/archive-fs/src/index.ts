export { ArchiveFsOptions, archiveFs } from './archive-fs.js'
export { FolderStore } from './folder-store.js'
export { freeBytes, Room } from './room.js'
